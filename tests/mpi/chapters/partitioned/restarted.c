/* Three messages of four parts, made ready in any order. archive: messages 3 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[8];
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(values, 4, 2, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(values, 4, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 8; k++)
            values[k] = rank == 0 ? 10 * round + k : -1;
        MPI_Start(&request);
        for (int k = 3; k >= 0 && rank == 0; k--)
            MPI_Pready(k, request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int k = 0; k < 8; k++)
            expect(values[k] == 10 * round + k);
    }
    MPI_Request_free(&request);
    return end();
}
