/* Names of communicators, also of those that have none. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm comm;
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    expect(strcmp(name, "MPI_COMM_WORLD") == 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "mine \"quoted\"\\");
    MPI_Comm_get_name(comm, name, &length);
    expect(strcmp(name, "mine \"quoted\"\\") == 0 && length == (int)strlen(name));
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    return end();
}
