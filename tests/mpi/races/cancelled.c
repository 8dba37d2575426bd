/* A receive that is cancelled before anybody sends takes no part.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    MPI_Status status;
    int gone = 0;
    begin(2);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &request); /* NONE */
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &gone);
    }
    MPI_Barrier(WORLD);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    else
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Finalize();
    return rank == 0 && !gone;
}
