/* A header from anybody, then the body from the same rank, with another tag: the
 * named receives follow the choice, so that no order leaves one of them alone.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Status status;
    begin(3);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, &status); /* RACE: order */
            MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 2, WORLD, IGNORE);
        }
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 1, WORLD);
        MPI_Send(&x, 1, MPI_INT, 0, 2, WORLD);
    }
    MPI_Finalize();
}
