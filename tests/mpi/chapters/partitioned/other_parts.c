/* Both sides divide the message otherwise. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[12];
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(values, 6, 2, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(values, 3, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 12; k++)
            values[k] = rank == 0 ? k + round : -1;
        MPI_Start(&request);
        if (rank == 0) {
            int list[3] = {5, 0, 2};
            MPI_Pready_list(3, list, request);
            MPI_Pready(1, request);
            MPI_Pready_range(3, 4, request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int k = 0; k < 12; k++)
            expect(values[k] == k + round);
    }
    MPI_Request_free(&request);
    return end();
}
