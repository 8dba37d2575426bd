/* Messages to oneself alone come in the order in which they are sent.
 *
 * ranks: 1 */
#include "race.h"

int main(void)
{
    MPI_Request requests[2];
    int out = 1;
    begin(1);
    MPI_Isend(&out, 1, MPI_INT, 0, 1, WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, 2, WORLD, &requests[1]);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE); /* NONE */
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE); /* NONE */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
}
