/* A persistent receive from anybody chooses anew at each start.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(3);
    if (rank == 0) {
        MPI_Recv_init(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &request);
        MPI_Start(&request); /* RACE: order */
        MPI_Wait(&request, IGNORE);
        MPI_Start(&request); /* NONE */
        MPI_Wait(&request, IGNORE);
        MPI_Request_free(&request);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
