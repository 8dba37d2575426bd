/* Rank 1 sends to 0, then lets 2 send to 0. Sent later is not received later: only
 * messages of one sender keep their order (MPI 4.1, §3.5), so they race all the same.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
        MPI_Send(&x, 1, MPI_INT, 2, 1, WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 1, 1, WORLD, IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
