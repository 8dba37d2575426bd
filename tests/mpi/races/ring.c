/* Round and round a ring: anybody may send, but only the left neighbour does.
 *
 * ranks: 4 */
#include "race.h"

int main(void)
{
    begin(4);
    int right = (rank + 1) % size;
    for (int round = 0; round < 5; round++)
        MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    MPI_Finalize();
}
