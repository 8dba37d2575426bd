/* The first receive may take the message that the second one names; then rank 0 waits in
 * vain, and with it rank 2, which waits for an answer.
 *
 * ranks: 3
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
        tell(1);
        MPI_Recv(&x, 1, MPI_INT, 2, 0, WORLD, IGNORE); /* ERROR: deadlock */
        MPI_Send(&x, 1, MPI_INT, 2, 0, WORLD);
    } else {
        if (rank == 1)
            hear(0);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
        if (rank == 2)
            MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE); /* ERROR: deadlock */
    }
    MPI_Barrier(WORLD);
    MPI_Finalize();
}
