/* The receiver asks for each part whether it is there. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[4] = {1, 2, 3, 4}, flag;
    MPI_Request request;
    if (rank == 0) {
        MPI_Psend_init(values, 4, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 3, request);
    } else {
        memset(values, 0, sizeof values);
        MPI_Precv_init(values, 4, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        for (int k = 0; k < 4; k++) {
            for (flag = 0; !flag;)
                MPI_Parrived(request, k, &flag);
            expect(values[k] == k + 1);
        }
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    return end();
}
