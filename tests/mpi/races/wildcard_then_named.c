/* A receive from anybody stands before one that names its source. It got the other
 * message; on another day it takes the one that the second receive waits for.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: hazard: unmatched */
        tell(2);
        MPI_Recv(&x, 1, MPI_INT, 2, 0, WORLD, IGNORE);
    } else {
        if (rank == 2)
            hear(0);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
