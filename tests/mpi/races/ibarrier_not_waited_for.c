/* Rank 2 sends between the start of the barrier and its end: nothing is ordered yet.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        tell(2);
    }
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Ibarrier(WORLD, &request);
    if (rank == 2) {
        hear(0);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    MPI_Wait(&request, IGNORE);
    MPI_Finalize();
}
