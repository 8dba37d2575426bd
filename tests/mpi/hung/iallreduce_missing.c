/* A nonblocking sum that one rank never begins.
 *
 * ranks: 3
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Request request;
    int sum;
    begin(3);
    if (rank != 1) {
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, WORLD, &request);
        MPI_Wait(&request, IGNORE); /* ERROR: deadlock */
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE); /* ERROR: deadlock */
    }
    MPI_Finalize();
}
