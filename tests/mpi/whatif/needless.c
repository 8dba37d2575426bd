/* Ranks compute, each longer than the other in its turn, and meet at a barrier that nothing needs;
 * with the argument `without` it is left out. Rank 0 says how long the rounds took. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MS = 1000000, ROUNDS = 10 };

int main(int argc, char **argv)
{
    int rank, one = 1, all = 0;
    int without = argc > 1 && strcmp(argv[1], "without") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int round = 0; round < ROUNDS; round++) {
        nanosleep(&(struct timespec){0, (round % 2 == rank ? 100 : 20) * MS}, NULL);
        if (!without)
            MPI_Barrier(MPI_COMM_WORLD); /* NEEDLESS */
    }
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("rounds %.6f\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return all == 2 ? 0 : 1;
}
