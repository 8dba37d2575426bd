/* Synchronous sends around a ring.
 *
 * ranks: 3
 * ends: killed */
#include "race.h"

int main(void)
{
    begin(3);
    MPI_Ssend(&x, 1, MPI_INT, (rank + 1) % size, 0, WORLD); /* ERROR: deadlock */
    MPI_Recv(&x, 1, MPI_INT, (rank + 2) % size, 0, WORLD, IGNORE);
    MPI_Finalize();
}
