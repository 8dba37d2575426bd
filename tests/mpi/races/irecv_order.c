/* Two receives from anybody, both posted before anything is waited for: the first
 * posted is the first served, but by whom is open.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Request requests[2];
    int in[2];
    begin(3);
    if (rank == 0) {
        MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &requests[0]); /* RACE: order */
        MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &requests[1]); /* NONE */
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
