/* A send that is cancelled and then freed may have gone nowhere (MPI 4.1, §3.8.4).
 *
 * ranks: 2
 * ends: anyhow */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(2);
    if (rank == 0) {
        MPI_Issend(&x, 1, MPI_INT, 1, 0, WORLD, &request); /* NONE */
        MPI_Cancel(&request);
        MPI_Request_free(&request);
    }
    MPI_Barrier(WORLD);
    MPI_Finalize();
}
