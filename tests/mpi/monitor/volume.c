/* One receive and three sends in a loop, the example by which Li and Zhang
 * compare the volume of records with that of a trace: a worker gets its part
 * and sends back three results.
 *
 *     volume [iterations = 1000] */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, part = 0, results[3][16] = {{0}};
    long iterations = argc > 1 ? atol(argv[1]) : 1000;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (long i = 0; i < iterations; i++) {
        if (rank == 0) {
            for (int worker = 1; worker < size; worker++)
                MPI_Send(&part, 1, MPI_INT, worker, 1, MPI_COMM_WORLD);
            for (int worker = 1; worker < size; worker++)
                for (int k = 0; k < 3; k++)
                    MPI_Recv(results[k], 16, MPI_INT, worker, 2 + k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Status status;
            MPI_Recv(&part, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
            MPI_Send(results[0], 4, MPI_INT, 0, 2, MPI_COMM_WORLD);
            MPI_Send(results[1], 8, MPI_INT, 0, 3, MPI_COMM_WORLD);
            MPI_Send(results[2], 16, MPI_INT, 0, 4, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
}
