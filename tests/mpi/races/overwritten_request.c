/* Two sends into one variable, one wait: the first request is lost.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(2);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request); /* ERROR: lost request */
        MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request); /* NONE */
        MPI_Wait(&request, IGNORE);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    }
    MPI_Barrier(WORLD);
    MPI_Finalize();
}
