/* The size of a message is asked before it is received. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[5] = {1, 2, 3, 4, 5}, got[5] = {0}, count;
    if (rank == 0)
        MPI_Send(values, 5, MPI_INT, 1, 8, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Status status;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        expect(count == 5 && status.MPI_SOURCE == 0 && status.MPI_TAG == 8);
        MPI_Recv(got, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        expect(memcmp(got, values, sizeof got) == 0);
    }
    return end();
}
