/* A receive whose message has come is not cancelled. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int value = 5, flag;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Request request;
        MPI_Status status;
        int done = 0;
        MPI_Probe(0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = 0;
        MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        while (!done)
            MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &flag);
        expect(!flag && value == 5);
    }
    return end();
}
