/* Every rank tells the first that it is there; then rank 0 is in MPI_Finalize at once, the others
 * come to it one after the other, and the last gives up with MPI_Abort and code 3 instead. */
#include "count.h"
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    for (int from = 1; rank == 0 && from < size; from++)
        MPI_Recv(NULL, 0, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0)
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    usleep(50000 * rank);
    if (rank == size - 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 1; /* not reached */
}
