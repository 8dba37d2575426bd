/* Waitany takes what is there first, but each request names its source: which of them
 * is first is open, who gets which message is not.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Request requests[2];
    int in[2], index;
    begin(3);
    if (rank == 0) {
        for (int r = 1; r <= 2; r++)
            MPI_Irecv(&in[r - 1], 1, MPI_INT, r, 0, WORLD, &requests[r - 1]); /* NONE */
        for (int i = 0; i < 2; i++)
            MPI_Waitany(2, requests, &index, IGNORE); /* NONE */
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
