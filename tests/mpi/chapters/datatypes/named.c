/* Names, attributes and duplicates of a type. archive: messages 0 */
#include "../chapter.h"

static int deleted;

static int on_delete(MPI_Datatype type, int key, void *value, void *extra) {
    (void)type, (void)key, (void)extra;
    deleted += *(int *)value;
    return MPI_SUCCESS;
}

int main(void) {
    begin();
    char name[MPI_MAX_OBJECT_NAME];
    int length, key, value = 3, flag, *got;
    MPI_Datatype type, copy;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_name(type, "pair");
    MPI_Type_get_name(type, name, &length);
    expect(strcmp(name, "pair") == 0 && length == 4);
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, on_delete, &key, NULL);
    MPI_Type_set_attr(type, key, &value);
    MPI_Type_dup(type, &copy);
    MPI_Type_get_attr(copy, key, &got, &flag);
    expect(flag && got == &value);
    MPI_Type_free(&copy);
    MPI_Type_delete_attr(type, key);
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&key);
    expect(deleted == 6);
    return end();
}
