/* Each iteration takes rank 1 longer than the one before. */
#include "plant.h"

enum { ROUNDS = 18 };

int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Bcast(&round, 1, MPI_INT, 0, MPI_COMM_WORLD); /* BEFORE */
        rest(rank == 1 ? 20 + 4 * round : 20);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* AFTER */
    }
    MPI_Finalize();
    return 0;
}
