/* Each names another root of the second broadcast than itself.
 *
 * ranks: 3
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    begin(3);
    MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
    MPI_Bcast(&x, 1, MPI_INT, rank == 2 ? 0 : 1 + rank % 2, WORLD); /* ERROR: collective root */
    MPI_Barrier(WORLD);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
    MPI_Finalize();
}
