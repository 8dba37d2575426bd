/* A short message that nobody receives.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    begin(2);
    if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 0, 1, WORLD); /* ERROR: unmatched send */
        MPI_Send(&x, 1, MPI_INT, 0, 2, WORLD); /* NONE */
    } else {
        MPI_Recv(&x, 1, MPI_INT, 1, 2, WORLD, IGNORE);
    }
    MPI_Finalize();
}
