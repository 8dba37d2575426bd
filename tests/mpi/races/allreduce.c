/* Nobody leaves an allreduce before all have come, the receiver among them.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    int sum;
    begin(3);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, WORLD);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Finalize();
}
