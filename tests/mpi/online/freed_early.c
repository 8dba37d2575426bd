/* A communicator is freed while messages on it are on their way; a receive is freed as well, and
 * handles come again for other communicators.
 *
 * ranks: 2 */
#include "line.h"

int main(void)
{
    int got = -1, there = 0;
    MPI_Comm other;
    MPI_Request request;
    begin(2);
    for (int i = 0; i < 20; i++) {
        MPI_Comm_dup(WORLD, &other);
        talk(1);
        if (rank == 1)
            MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, other, &request);
        else
            MPI_Isend(&i, 1, MPI_INT, 1, 0, other, &request);
        MPI_Comm_free(&other);
        MPI_Wait(&request, IGNORE);
        CHECK(rank == 0 || got == i);
        talk(1);
    }
    if (rank == 1) {
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 5, WORLD, &request);
        MPI_Request_free(&request);
    }
    MPI_Barrier(WORLD);
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 1, 5, WORLD);
    while (rank == 1 && got != 0)
        MPI_Iprobe(0, 9, WORLD, &there, IGNORE);
    talk(3);
    MPI_Finalize();
}
