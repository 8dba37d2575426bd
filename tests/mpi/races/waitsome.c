/* Receives from anybody, completed by Waitsome: the race is where they were posted.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Request requests[4];
    int in[4], done, all = 0, indices[4];
    begin(3);
    if (rank == 0) {
        for (int i = 0; i < 4; i++)
            MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &requests[i]); /* RACE: order */
        for (; all < 4; all += done)
            MPI_Waitsome(4, requests, &done, indices, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
