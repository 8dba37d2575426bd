/* Functions that are entered often and are soon over, one of which calls MPI; rank 1 is late. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static volatile long sum;

__attribute__((noinline)) static void tiny(void)
{
    sum++;
}

__attribute__((noinline)) static int asks(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

__attribute__((noinline)) static void step(void)
{
    for (int i = 0; i < 250; i++) {
        tiny();
        asks();
    }
    if (asks() == 1)
        usleep(5000);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 30; i++)
        step();
    MPI_Finalize();
    return sum == 7500 ? 0 : 1;
}
