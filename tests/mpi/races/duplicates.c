/* Two duplicates of the world: the same ranks and tags, and other messages.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Comm first, second;
    begin(3);
    MPI_Comm_dup(WORLD, &first);
    MPI_Comm_dup(WORLD, &second);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, second, IGNORE); /* NONE */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, first, IGNORE);  /* NONE */
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, rank == 1 ? first : second);
    }
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Finalize();
}
