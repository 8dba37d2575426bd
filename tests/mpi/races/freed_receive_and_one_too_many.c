/* One message goes to the receive that was freed, the other to nobody.
 *
 * ranks: 2
 * ends: anyhow */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(2);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, WORLD, &request);
        MPI_Request_free(&request);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD); /* NONE */
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD); /* ERROR: unmatched send */
    }
    MPI_Barrier(WORLD);
    MPI_Finalize();
}
