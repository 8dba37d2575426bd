/* Rank 1 forgets the barrier.
 *
 * ranks: 2
 * ends: anyhow */
#include "race.h"

int main(void)
{
    begin(2);
    if (rank == 0)
        MPI_Barrier(WORLD); /* ERROR: deadlock */
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE); /* ERROR: deadlock */
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
    MPI_Finalize();
}
