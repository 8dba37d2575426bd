/* How often it asks is open; which message it finds is not.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    int there = 0;
    begin(2);
    if (rank == 0) {
        while (!there)
            MPI_Iprobe(1, 0, WORLD, &there, IGNORE); /* NONE */
        MPI_Recv(&x, 1, MPI_INT, 1, 0, WORLD, IGNORE);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
