/* A receive from anybody where only one can send.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    begin(2);
    for (int i = 0; i < 10; i++)
        if (rank == 0)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE); /* NONE */
        else
            MPI_Send(&i, 1, MPI_INT, 0, i, WORLD);
    MPI_Finalize();
}
