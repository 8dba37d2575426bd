/* Sends a message round the ring; then rank 1 ends as it is told, while the others wait for
 * a message that never comes. `hang`: rank 0 stands in a barrier, and nobody ends by itself.
 *
 *     endings segv | assert | exit | abort | kill | hang */
#include "count.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *end = argc > 1 ? argv[1] : "hang";
    int got;
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(got == left);
    if (rank == 1)
        usleep(300000); /* the others are in their calls by then */
    if (rank == 1 && !strcmp(end, "segv"))
        *(volatile int *)8 = 1;
    if (rank == 1 && !strcmp(end, "assert"))
        abort();
    if (rank == 1 && !strcmp(end, "exit"))
        exit(7);
    if (rank == 1 && !strcmp(end, "abort"))
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (rank == 1 && !strcmp(end, "kill"))
        raise(SIGKILL);
    if (rank == 0 && !strcmp(end, "hang"))
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 1; /* not reached */
}
