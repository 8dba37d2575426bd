/* The same over two hops: 0 has received, tells 3, which tells 2.
 *
 * ranks: 4 */
#include "race.h"

int main(void)
{
    begin(4);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
        MPI_Send(&x, 1, MPI_INT, 3, 1, WORLD);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else if (rank == 3) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, IGNORE); /* NONE */
        MPI_Send(&x, 1, MPI_INT, 2, 2, WORLD);
    } else {
        if (rank == 2)
            MPI_Recv(&x, 1, MPI_INT, 3, 2, WORLD, IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
