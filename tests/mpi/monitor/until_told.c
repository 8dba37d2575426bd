/* Works in steps until there is a file `stop` in its folder, which rank 0 sees. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, stop = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (!stop) {
        usleep(20000);
        int seen = rank == 0 && access("stop", F_OK) == 0;
        MPI_Allreduce(&seen, &stop, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
