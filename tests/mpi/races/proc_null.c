/* Nobody sends what MPI_PROC_NULL sends; one real message is left.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    begin(2);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, IGNORE);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else {
        MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
