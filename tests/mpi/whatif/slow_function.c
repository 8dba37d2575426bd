/* Rank 1 is long in `solve` in each of some rounds, rank 0 shorter in `assist`, and both meet; with
 * the argument `fast` solve takes half as long. Rank 0 says how long the rounds took. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MS = 1000000, ROUNDS = 5 };

static void solve(int ms)
{
    nanosleep(&(struct timespec){0, ms * MS}, NULL);
}

static void assist(int ms)
{
    nanosleep(&(struct timespec){0, ms * MS}, NULL);
}

int main(int argc, char **argv)
{
    int rank, one = 1, all = 0;
    int fast = argc > 1 && strcmp(argv[1], "fast") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 1)
            solve(fast ? 80 : 160);
        else
            assist(40);
        MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("rounds %.6f\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return all == 2 ? 0 : 1;
}
