/* Rank 0 computes twice as long as rank 1 in each of some rounds, which end in a reduction to all;
 * with the argument `even` both compute as long as the mean of both. Nothing else is different. Rank
 * 0 says how long the rounds took. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MS = 1000, ROUNDS = 10 };

int main(int argc, char **argv)
{
    int rank, one = 1, all = 0;
    int even = argc > 1 && strcmp(argv[1], "even") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD); /* BEGIN */
    double begin = MPI_Wtime();
    for (int round = 0; round < ROUNDS; round++) {
        usleep((even ? 90 : rank == 0 ? 120 : 60) * MS);
        MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* MEET */
    }
    if (rank == 0)
        printf("rounds %.6f\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return all == 2 ? 0 : 1;
}
