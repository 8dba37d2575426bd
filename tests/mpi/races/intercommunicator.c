/* Rank 0 is a group of its own; both ranks of the other send to it.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Comm own, across;
    begin(3);
    MPI_Comm_split(WORLD, rank > 0, rank, &own);
    MPI_Intercomm_create(own, 0, WORLD, rank == 0 ? 1 : 0, 9, &across);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, across, IGNORE); /* RACE: order */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, across, IGNORE); /* NONE */
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, across);
    }
    MPI_Comm_free(&across);
    MPI_Comm_free(&own);
    MPI_Finalize();
}
