/* A persistent receive is cancelled, and started anew. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int value = rank == 0 ? 3 : 0, flag;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 1) {
        MPI_Status status;
        MPI_Recv_init(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &flag);
        expect(flag && request != MPI_REQUEST_NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
    expect(value == 3);
    return end();
}
