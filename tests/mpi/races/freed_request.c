/* A request that is freed is not lost: MPI may complete it alone (MPI 4.1, §3.7.3).
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(2);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request); /* NONE */
        MPI_Request_free(&request);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    }
    MPI_Barrier(WORLD);
    MPI_Finalize();
}
