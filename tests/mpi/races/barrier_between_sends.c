/* A barrier between the sends, but both receives come after it: it orders nothing
 * that matters.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Barrier(WORLD);
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    }
    MPI_Finalize();
}
