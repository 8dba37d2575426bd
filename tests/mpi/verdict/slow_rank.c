/* Rank 1 takes twice as long as the others in all that it computes, as one
 * whose memory is far away does. */
#include "plant.h"

enum { ROUNDS = 6 };

int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int slow = rank == 1 ? 2 : 1;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        rest(40 * slow);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* BEFORE */
        rest(50 * slow);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /* AFTER */
        rest(30 * slow);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
