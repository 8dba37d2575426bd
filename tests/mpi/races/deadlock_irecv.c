/* Two wait for what the other would send later.
 *
 * ranks: 2
 * ends: killed */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(2);
    MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, WORLD, &request);
    MPI_Wait(&request, IGNORE); /* ERROR: deadlock */
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, WORLD);
    MPI_Finalize();
}
