/* Exchanges with one request each, and a message after them. archive: messages 5 */
#include "../chapter.h"

int main(void) {
    begin();
    int mine = rank, got = -1, both = rank;
    MPI_Request requests[2];
    MPI_Isendrecv(&mine, 1, MPI_INT, !rank, 1, &got, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD,
                  &requests[0]);
    MPI_Isendrecv_replace(&both, 1, MPI_INT, !rank, 2, !rank, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect(got == !rank && both == !rank);
    if (rank == 0)
        MPI_Send(&mine, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end();
}
