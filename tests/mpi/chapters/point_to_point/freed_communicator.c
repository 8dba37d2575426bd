/* A communicator is freed while a message on it is under way. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm comm;
    MPI_Request request;
    int value = rank == 0 ? 8 : 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0)
        MPI_Issend(&value, 1, MPI_INT, 1, 1, comm, &request);
    else
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, &request);
    MPI_Comm_free(&comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(value == 8);
    return end();
}
