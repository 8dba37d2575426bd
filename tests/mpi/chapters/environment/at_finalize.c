/* A callback at the begin of MPI_Finalize, which sends a message to itself. archive: */
#include "../chapter.h"

static int called;

static int at_finalize(MPI_Comm comm, int key, void *value, void *extra) {
    int got = 0, mine = 5, flag;
    (void)comm, (void)key, (void)value, (void)extra;
    MPI_Finalized(&flag);
    expect(!flag);
    MPI_Sendrecv(&mine, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    expect(got == 5);
    called++;
    return MPI_SUCCESS;
}

int main(void) {
    begin();
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    expect(called == 1);
    if (!wrong)
        puts("ok");
    return wrong;
}
