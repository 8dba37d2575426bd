/* Rank 0 asks again and again for what nobody sends.
 *
 * ranks: 2
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Request request;
    int done = 0;
    begin(2);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, WORLD, &request);
        while (!done) {
            MPI_Test(&request, &done, IGNORE);
            usleep(1000);
        }
        MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    }
    MPI_Finalize();
}
