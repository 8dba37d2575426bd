/* Rank 1 comes late to a message, in a function, a file and with an argument whose names nobody is
 * to read. Runs on 2 ranks. */
#include <mpi.h>
#include <unistd.h>

__attribute__((noinline)) void hidden_function(int rank)
{
    int one = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&one, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        usleep(20000);
        MPI_Send(&one, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hidden_function(rank);
    MPI_Finalize();
}
