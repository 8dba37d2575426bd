/* The same with the sender as root: it need not wait for the others, and may send
 * before rank 0 has received anything.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    if (rank == 2)
        hear(0);
    if (rank == 0)
        tell(2);
    MPI_Bcast(&x, 1, MPI_INT, 2, WORLD);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Finalize();
}
