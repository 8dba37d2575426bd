/* Rank 1 computes longer than the others, between two calls of MPI. With
 * "busy" it works in place of sleeping, so that samples see it. */
#include "plant.h"

enum { ROUNDS = 6, STEPS = 4000000 };

static void relax(int ms, int is_busy)
{
    volatile double value = 1.0;
    if (!is_busy)
        rest(ms);
    for (long step = 0; is_busy && step < (long)STEPS * ms; step += 50)
        value = value * 0.5 + 1.0; /* PLANT */
}

int main(int argc, char **argv)
{
    int rank, sum;
    int is_busy = argc > 1 && strcmp(argv[1], "busy") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Bcast(&round, 1, MPI_INT, 0, MPI_COMM_WORLD); /* BEFORE */
        relax(rank == 1 ? 100 : 10, is_busy);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* AFTER */
    }
    MPI_Finalize();
    return 0;
}
