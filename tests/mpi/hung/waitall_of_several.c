/* Of two messages that rank 0 waits for, one never comes.
 *
 * ranks: 2
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Request request[2];
    int y[2];
    begin(2);
    if (rank == 0) {
        MPI_Irecv(&y[0], 1, MPI_INT, 1, 0, WORLD, &request[0]);
        MPI_Irecv(&y[1], 1, MPI_INT, 1, 1, WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* ERROR: deadlock */
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Barrier(WORLD); /* ERROR: deadlock */
    MPI_Finalize();
}
