/* wildcard_then_named.c on its other day: the receive from anybody has taken the message
 * that the second one waits for.
 *
 * ranks: 3
 * ends: killed */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: hazard: unmatched */
        tell(1);
        MPI_Recv(&x, 1, MPI_INT, 2, 0, WORLD, IGNORE); /* ERROR: unmatched receive */
    } else {
        if (rank == 1)
            hear(0);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
