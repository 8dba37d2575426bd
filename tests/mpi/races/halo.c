/* Both neighbours of a row of ranks, in order of arrival; a barrier ends each step.
 *
 * ranks: 4 */
#include "race.h"

int main(void)
{
    begin(4);
    for (int step = 0; step < 3; step++) {
        int neighbours = 0;
        for (int r = rank - 1; r <= rank + 1; r += 2)
            if (r >= 0 && r < size) {
                MPI_Send(&rank, 1, MPI_INT, r, 0, WORLD);
                neighbours++;
            }
        while (neighbours-- > 0)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        MPI_Barrier(WORLD);
    }
    MPI_Finalize();
}
