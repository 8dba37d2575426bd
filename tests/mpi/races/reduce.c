/* In a reduction to the receiver the others wait for nobody.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    int sum;
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        tell(2);
    }
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    if (rank == 2)
        hear(0);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, WORLD);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Finalize();
}
