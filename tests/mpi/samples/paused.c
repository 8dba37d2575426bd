/* Computes in one function while it is recorded, and in another while it is not. */
#include <mpi.h>
#include <stdio.h>

#include "compute.h"

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long unit = unit_here();
    unsigned long state = rank;
    for (int round = 0; round < 5; round++) {
        state = often(state, unit);
        MPI_Pcontrol(0);
        state = seldom(state, 3 * unit);
        MPI_Pcontrol(1);
    }
    MPI_Bcast(&state, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("paused: passed\n");
    MPI_Finalize();
    return state == 0;
}
