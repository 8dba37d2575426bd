/* Probe for anybody, then receive from whom the probe named: the choice is the probe's.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Status status;
    begin(3);
    if (rank == 0) {
        MPI_Probe(MPI_ANY_SOURCE, 0, WORLD, &status); /* RACE: order */
        MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 0, WORLD, IGNORE);
        MPI_Probe(MPI_ANY_SOURCE, 0, WORLD, &status); /* NONE */
        MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 0, WORLD, IGNORE);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
