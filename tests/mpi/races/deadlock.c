/* Each waits for the other to send first.
 *
 * ranks: 2
 * ends: killed */
#include "race.h"

int main(void)
{
    begin(2);
    MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE); /* ERROR: deadlock */
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, WORLD);
    MPI_Finalize();
}
