/* A message round the ring and a sum over all ranks every few milliseconds, so that
 * a run lasts as long as it is told to.
 *
 *     paced [rounds = 50 [microseconds between them = 1000]] */
#include "count.h"
#include <unistd.h>

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 50, pause = argc > 2 ? atoi(argv[2]) : 1000;
    MPI_Init(&argc, &argv);
    look_around();
    for (int i = 0, got, sum; i < rounds; i++) {
        MPI_Sendrecv(&i, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        count_sent(right, sizeof i);
        count_received(left, sizeof got);
        COLLECTIVE(MPI_Allreduce(&got, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK(got == i && sum == i * size);
        usleep(pause);
    }
    print_counted();
    MPI_Finalize();
}
