/* Rank 2 leaves out the barrier and is done.
 *
 * ranks: 3
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    begin(3);
    if (rank != 2)
        MPI_Barrier(WORLD); /* ERROR: deadlock */
    MPI_Finalize();
}
