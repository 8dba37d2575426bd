/* The receive that names its source comes first: what it leaves for the next is one message.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, 2, 0, WORLD, IGNORE);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
