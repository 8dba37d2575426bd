/* A blocking barrier does not meet a nonblocking one (MPI 4.1, §6.12).
 *
 * ranks: 2
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Request request;
    begin(2);
    if (rank == 0) {
        MPI_Ibarrier(WORLD, &request);
        MPI_Wait(&request, IGNORE);
    } else {
        MPI_Barrier(WORLD); /* ERROR: collective order */
    }
    MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);
    MPI_Finalize();
}
