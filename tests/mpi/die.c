/* Sends messages round the ring, one a millisecond, until somebody kills it.
 * Prints each rank's process id first, so that a test can.
 *
 *     die [exchanges = 30000] */
#include "count.h"
#include <unistd.h>

int main(int argc, char **argv)
{
    int exchanges = argc > 1 ? atoi(argv[1]) : 30000;
    MPI_Init(&argc, &argv);
    look_around();
    printf("rank %d pid %d\n", rank, (int)getpid());
    fflush(stdout);
    for (int i = 0, got; i < exchanges; i++) {
        MPI_Sendrecv(&i, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        count_sent(right, sizeof i);
        count_received(left, sizeof got);
        CHECK(got == i);
        usleep(1000);
    }
    print_counted();
    MPI_Finalize();
}
