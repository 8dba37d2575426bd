/* The message goes and comes, but nobody ever waits for the requests.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    MPI_Request request;
    begin(2);
    if (rank == 0)
        MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request); /* ERROR: lost request */
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    MPI_Barrier(WORLD);
    MPI_Finalize();
}
