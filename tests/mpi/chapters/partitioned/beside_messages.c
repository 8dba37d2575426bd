/* Plain messages of the same tag match each other, not those in parts. archive: messages 4 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[2] = {1, 2}, plain[2] = {7, 8};
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Psend_init(values, 2, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
        MPI_Start(&requests[0]);
        MPI_Send(&plain[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Pready(0, requests[0]);
        MPI_Send(&plain[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Pready(1, requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        values[0] = values[1] = plain[0] = plain[1] = 0;
        MPI_Irecv(&plain[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Precv_init(values, 2, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
        MPI_Start(&requests[0]);
        MPI_Recv(&plain[1], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Recv(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(plain[0] == 7 && plain[1] == 8 && values[0] == 1 && values[1] == 2);
    }
    MPI_Request_free(&requests[0]);
    return end();
}
