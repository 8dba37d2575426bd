/* Rank 0 exchanges with 1 and with 2 and takes whichever answer is there.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Sendrecv(&rank, 1, MPI_INT, 1, 0, &x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        MPI_Sendrecv(&rank, 1, MPI_INT, 2, 0, &x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else {
        MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    }
    MPI_Finalize();
}
