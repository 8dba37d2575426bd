/* Rank 1 is killed by a thread of a parallel region, while others are in a barrier. */
#include "count.h"

#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int time = 0; time < 10; ++time) {
#pragma omp parallel num_threads(3)
        {
            if (rank == 1 && time == 9 && omp_get_thread_num() == 1) {
                usleep(100000);
                kill(getpid(), SIGKILL);
            }
#pragma omp barrier
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return ends("killed", 1);
}
