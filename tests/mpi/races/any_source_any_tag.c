/* Any source and any tag: both are open at the first receive, none at the second.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE); /* RACE: order */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE); /* NONE */
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, rank, WORLD);
    }
    MPI_Finalize();
}
