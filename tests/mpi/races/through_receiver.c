/* Rank 2 sends only when rank 0, having received, tells it to: no race.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
        MPI_Send(&x, 1, MPI_INT, 2, 1, WORLD);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else {
        if (rank == 2)
            MPI_Recv(&x, 1, MPI_INT, 0, 1, WORLD, IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
