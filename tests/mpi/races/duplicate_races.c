/* Within a duplicate messages race as in the world, and its ranks may be others.
 *
 * ranks: 4 */
#include "race.h"

int main(void)
{
    MPI_Comm turned, again;
    begin(4);
    MPI_Comm_split(WORLD, 0, -rank, &turned); /* 3, 2, 1, 0 */
    MPI_Comm_dup(turned, &again);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, again, IGNORE); /* RACE: order */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, again, IGNORE); /* RACE: order */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, again, IGNORE); /* NONE */
    } else {
        MPI_Send(&x, 1, MPI_INT, 3, 0, again);
    }
    MPI_Finalize();
}
