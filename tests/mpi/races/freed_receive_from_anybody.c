/* The same with wildcards, and a send that is freed, too.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(2);
    if (rank == 0)
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &request);
    else
        MPI_Isend(&rank, 1, MPI_INT, 0, 0, WORLD, &request); /* NONE */
    MPI_Request_free(&request);
    MPI_Barrier(WORLD);
    MPI_Finalize();
}
