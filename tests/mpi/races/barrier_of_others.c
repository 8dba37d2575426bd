/* The barrier is that of the senders alone; the receiver does not take part.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Comm senders;
    begin(3);
    MPI_Comm_split(WORLD, rank == 0 ? MPI_UNDEFINED : 1, rank, &senders);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else {
        if (rank == 1)
            MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
        MPI_Barrier(senders);
        if (rank == 2)
            MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
        MPI_Comm_free(&senders);
    }
    MPI_Finalize();
}
