/* A message to oneself races with one from outside.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    int out = 1;
    begin(2);
    if (rank == 0) {
        MPI_Isend(&out, 1, MPI_INT, 0, 0, WORLD, &request);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
        MPI_Wait(&request, IGNORE);
    } else {
        MPI_Send(&out, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
