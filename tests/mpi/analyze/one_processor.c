/* Ranks that share one processor: each computes for 0.3 s, so one stands still meanwhile. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

static double computed(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, processor = sched_getcpu();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&processor, 1, MPI_INT, 0, MPI_COMM_WORLD);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    int alone = sched_setaffinity(0, sizeof set, &set);
    MPI_Barrier(MPI_COMM_WORLD);
    for (double end = computed() + 0.3; computed() < end;)
        ;
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: %s\n", rank, alone == 0 ? "ok" : "not bound");
    MPI_Finalize();
    return 0;
}
