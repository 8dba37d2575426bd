/* A nonblocking barrier orders when it is waited for.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(3);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Ibarrier(WORLD, &request);
    MPI_Wait(&request, IGNORE);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Finalize();
}
