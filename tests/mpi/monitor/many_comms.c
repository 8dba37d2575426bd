/* Duplicates, splits and frees communicators all the time: there are three
 * different groups of members, however often they are made.
 *
 *     many_comms [iterations = 100] */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, value = 1, sum;
    long iterations = argc > 1 ? atol(argv[1]) : 100;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (long i = 0; i < iterations; i++) {
        MPI_Comm copy, half;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, copy);
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, half);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&half);
    }
    MPI_Finalize();
}
