/* All are received by name, in the order of ranks: the clean way, and no race.
 *
 * ranks: 4 */
#include "race.h"

int main(void)
{
    begin(4);
    if (rank == 0)
        for (int r = 1; r < size; r++)
            MPI_Recv(&x, 1, MPI_INT, r, 0, WORLD, IGNORE); /* NONE */
    else
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Finalize();
}
