// A region that ends with its scope, by whichever way.
#include <mpi.h>
#include <mpiscope.h>
#include <cstdio>

static void refuse(int step)
{
    mpiscope::region here("refuse");
    if (step % 2)
        throw step;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 6; step++) {
        try {
            refuse(step);
        } catch (int) {
            mpiscope_mark("caught");
        }
    }
    MPI_Finalize();
    if (rank == 0)
        std::puts("named: ok");
}
