/* What is posted first is matched first (MPI 4.1, §3.5): rank 2's message goes to the
 * receive that names it, however late that is waited for.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Request named, any;
    int in[2];
    begin(3);
    if (rank == 0) {
        MPI_Irecv(&in[0], 1, MPI_INT, 2, 0, WORLD, &named);
        MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &any); /* NONE */
        MPI_Wait(&any, IGNORE);
        MPI_Wait(&named, IGNORE);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
