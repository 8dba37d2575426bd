/* Exchanges some messages; then the last rank gives up with MPI_Abort and code 3,
 * while the others wait for a message that never comes. */
#include "count.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    for (int i = 0, got; i < 10; i++) {
        MPI_Sendrecv(&i, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(got == i);
    }
    if (rank == size - 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 1; /* not reached */
}
