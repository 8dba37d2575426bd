/* Two ranks do two steps again and again, which end in a barrier and a reduction. With the argument
 * `slower` the first step takes 5 % longer; with `compute` they compute in place of sleeping. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 6, FIRST = 90000, SECOND = 60000, TURNS = 700 };

static int computes;
static volatile double sink;

static void work(int us)
{
    if (!computes) {
        usleep(us);
        return;
    }
    double sum = 0;
    for (long turn = 0; turn < (long)us * TURNS; turn++)
        sum += turn * 1e-9;
    sink = sum;
}

int main(int argc, char **argv)
{
    int slower = 0, one = 1, all = 0;
    for (int at = 1; at < argc; at++) {
        slower |= strcmp(argv[at], "slower") == 0;
        computes |= strcmp(argv[at], "compute") == 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        work(slower ? FIRST + FIRST / 20 : FIRST);
        MPI_Barrier(MPI_COMM_WORLD); /* BARRIER */
        work(SECOND);
        MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return all == 2 ? 0 : 1;
}
