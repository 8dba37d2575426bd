/* Rank 2 sends after a broadcast whose root is the receiver, after its receive.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Finalize();
}
