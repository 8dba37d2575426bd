/* Each of two receives from anybody has a tag that only one sender uses.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 2, WORLD, IGNORE); /* NONE */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, IGNORE); /* NONE */
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, rank, WORLD);
    }
    MPI_Finalize();
}
