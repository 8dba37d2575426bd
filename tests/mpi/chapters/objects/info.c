/* Pairs of keys and values. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Info info, copy;
    char value[100], key[MPI_MAX_INFO_KEY];
    int flag, n, length;
    MPI_Info_create(&info);
    MPI_Info_set(info, "colour", "green");
    MPI_Info_set(info, "size", "5");
    MPI_Info_get_nkeys(info, &n);
    expect(n == 2);
    MPI_Info_get_valuelen(info, "colour", &length, &flag);
    expect(flag && length == 5);
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "colour");
    MPI_Info_get(info, "colour", 99, value, &flag);
    expect(!flag);
    MPI_Info_get(copy, "colour", 99, value, &flag);
    expect(flag && strcmp(value, "green") == 0);
    MPI_Info_get_nthkey(info, 0, key);
    expect(strcmp(key, "size") == 0);
    MPI_Info_free(&copy);
    MPI_Info_free(&info);
    expect(info == MPI_INFO_NULL);
    return end();
}
