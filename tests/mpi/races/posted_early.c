/* The receive is posted before rank 2 hears of it and waited for after, so that rank
 * 2's message, though sent on rank 0's word, may still be the one that it takes.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(3);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &request); /* RACE: order */
        MPI_Send(&rank, 1, MPI_INT, 2, 1, WORLD);
        MPI_Wait(&request, IGNORE);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else {
        if (rank == 2)
            MPI_Recv(&x, 1, MPI_INT, 0, 1, WORLD, IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
