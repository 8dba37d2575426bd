/* The same by Testsome, which may find nothing; with two tags, of which each sender has one.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Request requests[2];
    int in[2], done, all = 0, indices[2];
    begin(3);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, i + 1, WORLD, &requests[i]); /* NONE */
        for (; all < 2; all += done)
            MPI_Testsome(2, requests, &done, indices, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, rank, WORLD);
    }
    MPI_Finalize();
}
