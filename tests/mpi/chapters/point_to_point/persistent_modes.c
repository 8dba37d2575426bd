/* A persistent send of each mode, started three times. archive: messages 12 */
#include "../chapter.h"

int main(void) {
    begin();
    static char room[4000 + 12 * MPI_BSEND_OVERHEAD];
    MPI_Request requests[4];
    int values[4];
    MPI_Buffer_attach(room, sizeof room);
    if (rank == 0) {
        MPI_Send_init(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Bsend_init(&values[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Ssend_init(&values[2], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[2]);
        MPI_Rsend_init(&values[3], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[3]);
    }
    for (int k = 0; k < 4 && rank == 1; k++)
        MPI_Recv_init(&values[k], 1, MPI_INT, 0, k, MPI_COMM_WORLD, &requests[k]);
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 4; k++)
            values[k] = rank == 0 ? round * 10 + k : -1;
        if (rank == 1)
            MPI_Startall(4, requests);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        for (int k = 0; k < 4; k++)
            expect(values[k] == round * 10 + k);
    }
    for (int k = 0; k < 4; k++)
        MPI_Request_free(&requests[k]);
    void *detached;
    int bytes;
    MPI_Buffer_detach(&detached, &bytes);
    return end();
}
