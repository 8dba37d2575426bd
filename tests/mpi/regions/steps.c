/* Steps of some milliseconds, in a region `step` that ends with an MPI_Allreduce; on the last rank one of
   them, whose number is given, takes twenty times as long. Prints `steps: right`. */
#include <mpi.h>
#include <mpiscope.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0, right = 1;
    int steps = atoi(argv[1]), slow = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 1; step <= steps; step++) {
        mpiscope_region_begin("step");
        usleep(step == slow && rank == size - 1 ? 400000 : 20000);
        MPI_Allreduce(&step, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        right &= sum == step * size;
        mpiscope_region_end("step");
    }
    if (rank == 0)
        printf("steps: %s\n", right ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
