/* The other way round: posted first, the receive from anybody may take rank 2's message,
 * although the one that names it is waited for first.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Request named, any;
    int in[2];
    begin(3);
    if (rank == 0) {
        MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &any); /* RACE: hazard: unmatched */
        MPI_Irecv(&in[0], 1, MPI_INT, 2, 0, WORLD, &named);
        tell(1);
        MPI_Recv(&x, 1, MPI_INT, 1, 1, WORLD, IGNORE);
        tell(2);
        MPI_Wait(&named, IGNORE);
        MPI_Wait(&any, IGNORE);
    } else if (rank == 1) {
        hear(0);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
        MPI_Send(&x, 1, MPI_INT, 0, 1, WORLD);
    } else {
        hear(0);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
