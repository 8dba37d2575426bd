/* One message in one part. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int value = rank == 0 ? 5 : 0;
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(&value, 1, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(&value, 1, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0)
        MPI_Pready(0, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    expect(value == 5);
    return end();
}
