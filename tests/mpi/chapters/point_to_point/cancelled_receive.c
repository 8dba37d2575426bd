/* A receive that is cancelled takes no message; the next one does. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int value = 5, flag;
    if (rank == 1) {
        MPI_Request request;
        MPI_Status status;
        MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &flag);
        expect(flag && request == MPI_REQUEST_NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(value == 5);
    return end();
}
