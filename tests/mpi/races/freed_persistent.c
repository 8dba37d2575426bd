/* A persistent receive that is freed while it is active.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(2);
    if (rank == 0) {
        MPI_Recv_init(&x, 1, MPI_INT, 1, 0, WORLD, &request);
        MPI_Start(&request);
        MPI_Request_free(&request);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD); /* NONE */
    }
    MPI_Barrier(WORLD);
    MPI_Finalize();
}
