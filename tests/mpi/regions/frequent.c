/* A function that is entered often and is soon over, around and beside others. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile long sum;

__attribute__((noinline)) static void tiny(void)
{
    sum++;
}

__attribute__((noinline)) static void long_enough(int times)
{
    for (int i = 0; i < times; i++)
        tiny();
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 20; i++)
        long_enough(2500);
#ifdef KILLED
    usleep(200000); /* whoever looks after definitions may be waiting for the processor */
    raise(SIGKILL);
#endif
    MPI_Finalize();
    if (rank == 0)
        printf("frequent: %s\n", sum == 50000 ? "ok" : "wrong");
    return 0;
}
