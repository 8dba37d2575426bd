/* Two ranks work and meet, called by two functions; with the argument `slower` one of these takes
 * longer. Rank 1 is late, so that meeting takes its time on any machine. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { MS = 1000, ROUNDS = 6 };

__attribute__((noinline)) static void step(int ms)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    usleep((ms + rank) * MS);
    MPI_Barrier(MPI_COMM_WORLD); /* BARRIER */
}

__attribute__((noinline)) static void first(void)
{
    step(2);
}

__attribute__((noinline)) static void second(int ms)
{
    step(ms);
}

int main(int argc, char **argv)
{
    int slower = argc > 1 && strcmp(argv[1], "slower") == 0;
    MPI_Init(&argc, &argv);
    first();
    for (int round = 0; round < ROUNDS; round++)
        second(slower ? 9 : 3);
    MPI_Finalize();
    return 0;
}
