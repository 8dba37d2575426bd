/* Messages that do not fit: received, and gone, although the receive fails.
 *
 * ranks: 2 */
#include "line.h"

int main(void)
{
    int two[2] = {1, 2}, one;
    MPI_Request requests[2];
    begin(2);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    talk(3);
    if (rank == 0) {
        MPI_Send(two, 2, MPI_INT, 1, 0, WORLD);
        MPI_Send(two, 2, MPI_INT, 1, 0, WORLD);
        MPI_Send(two, 1, MPI_INT, 1, 0, WORLD);
    } else {
        CHECK(MPI_Recv(&one, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE) != MPI_SUCCESS);
        MPI_Irecv(&one, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &requests[0]);
        MPI_Irecv(two, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &requests[1]);
        CHECK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS);
    }
    talk(5);
    MPI_Finalize();
}
