/* A message in each mode of a nonblocking send. archive: messages 4 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Request requests[4];
    int values[4] = {1, 2, 3, 4}, got[4] = {0};
    static char room[1000 + MPI_BSEND_OVERHEAD];
    MPI_Buffer_attach(room, sizeof room);
    if (rank == 1)
        for (int k = 0; k < 4; k++)
            MPI_Irecv(&got[k], 1, MPI_INT, 0, k, MPI_COMM_WORLD, &requests[k]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Isend(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Ibsend(&values[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Issend(&values[2], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[2]);
        MPI_Irsend(&values[3], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[3]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int k = 0; k < 4 && rank == 1; k++)
        expect(got[k] == k + 1);
    void *detached;
    int bytes;
    MPI_Buffer_detach(&detached, &bytes);
    return end();
}
