/* Rank 0 waits for a message that nobody sends.
 *
 * ranks: 2
 * ends: killed */
#include "race.h"

int main(void)
{
    begin(2);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 2, WORLD, IGNORE); /* ERROR: unmatched receive */
    MPI_Finalize();
}
