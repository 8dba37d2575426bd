/* Attributes: copied with a duplicate, deleted with it; callbacks that call MPI. archive: messages 0 */
#include "../chapter.h"

static int copied, deleted;

static int on_copy(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *flag) {
    int n;
    (void)key, (void)extra;
    MPI_Comm_size(comm, &n);
    copied += n;
    *(void **)copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int key, void *value, void *extra) {
    int n;
    (void)key, (void)value, (void)extra;
    MPI_Comm_rank(comm, &n);
    deleted++;
    return MPI_SUCCESS;
}

int main(void) {
    begin();
    MPI_Comm comm;
    int key, value = 1, flag, *got;
    MPI_Comm_create_keyval(on_copy, on_delete, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    expect(copied == 2);
    MPI_Comm_get_attr(comm, key, &got, &flag);
    expect(flag && got == &value);
    MPI_Comm_free(&comm);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    expect(deleted == 2);
    MPI_Comm_free_keyval(&key);
    expect(key == MPI_KEYVAL_INVALID);
    return end();
}
