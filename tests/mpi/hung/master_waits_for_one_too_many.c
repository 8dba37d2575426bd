/* The master takes one answer more than there are.
 *
 * ranks: 3
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* ERROR: deadlock */
        for (int i = 1; i < 3; i++)
            MPI_Send(&x, 1, MPI_INT, i, 1, WORLD);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 1, WORLD, IGNORE); /* ERROR: deadlock */
    }
    MPI_Finalize();
}
