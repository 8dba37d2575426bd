/* Whoever takes any tag may take the message that the next receive wants.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE); /* RACE: hazard: unmatched */
        tell(2);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 2, WORLD, IGNORE); /* NONE */
    } else {
        if (rank == 2)
            hear(0);
        MPI_Send(&x, 1, MPI_INT, 0, rank, WORLD);
    }
    MPI_Finalize();
}
