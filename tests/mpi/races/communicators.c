/* A communicator of their own keeps the messages of rank 1 and of rank 2 apart.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Comm with[3] = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
    begin(3);
    for (int other = 1; other <= 2; other++)
        MPI_Comm_split(WORLD, rank == 0 || rank == other ? 1 : MPI_UNDEFINED, rank, &with[other]);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, with[2], IGNORE); /* NONE */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, with[1], IGNORE); /* NONE */
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, with[rank]);
    }
    MPI_Finalize();
}
