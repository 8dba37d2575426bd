/* Receives from anybody, in the order of sending of each. archive: messages 10 */
#include "../chapter.h"

int main(void) {
    begin();
    int next[2] = {0}, value;
    MPI_Request requests[5];
    if (rank == 1)
        for (int k = 0; k < 5; k++)
            MPI_Send(&k, 1, MPI_INT, 0, k, MPI_COMM_WORLD);
    if (rank == 0) {
        int mine[5] = {0, 1, 2, 3, 4};
        for (int k = 0; k < 5; k++)
            MPI_Isend(&mine[k], 1, MPI_INT, 0, k, MPI_COMM_WORLD, &requests[k]);
        for (int k = 0; k < 10; k++) {
            MPI_Status status;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            expect(value == next[status.MPI_SOURCE]++ && value == status.MPI_TAG);
        }
        MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
    }
    return end();
}
