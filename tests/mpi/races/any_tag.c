/* Any tag, but one source: its messages keep their order (MPI 4.1, §3.5).
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    begin(2);
    for (int tag = 1; tag <= 3; tag++)
        if (rank == 0)
            MPI_Recv(&x, 1, MPI_INT, 1, MPI_ANY_TAG, WORLD, IGNORE); /* NONE */
        else
            MPI_Send(&x, 1, MPI_INT, 0, tag, WORLD);
    MPI_Finalize();
}
