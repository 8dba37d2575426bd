/* Two ranks sum where the third meets them.
 *
 * ranks: 3
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    int sum;
    begin(3);
    if (rank == 1)
        MPI_Barrier(WORLD); /* ERROR: collective order */
    else
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, WORLD);
    MPI_Recv(&x, 1, MPI_INT, (rank + 1) % size, 0, WORLD, IGNORE);
    MPI_Finalize();
}
