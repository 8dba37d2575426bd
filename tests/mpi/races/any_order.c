/* Two senders, two receives from anybody: who comes first is open, and either will do.
 * Once the first is received, the second receive has no choice.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
