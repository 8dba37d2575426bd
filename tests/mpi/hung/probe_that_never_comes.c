/* A probe for a tag that nobody sends.
 *
 * ranks: 2
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Status status;
    begin(2);
    if (rank == 0) {
        MPI_Probe(1, 7, WORLD, &status); /* ERROR: deadlock */
        MPI_Recv(&x, 1, MPI_INT, 1, 7, WORLD, IGNORE);
        MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 8, WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE); /* ERROR: deadlock */
    }
    MPI_Finalize();
}
