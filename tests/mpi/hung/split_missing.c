/* One rank does not take part in the making of a communicator.
 *
 * ranks: 3
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Comm half;
    begin(3);
    if (rank == 2)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE); /* ERROR: deadlock */
    else
        MPI_Comm_split(WORLD, rank, 0, &half); /* ERROR: deadlock */
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 2, 0, WORLD);
    MPI_Finalize();
}
