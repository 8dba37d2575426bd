/* As overtaking.c, but the first send is synchronous: when it returns, the first
 * receive has begun to take its message (MPI 4.1, §3.4), and nothing can overtake it.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else if (rank == 1) {
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, WORLD);
        MPI_Send(&x, 1, MPI_INT, 2, 1, WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 1, 1, WORLD, IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
