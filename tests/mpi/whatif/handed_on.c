/* Rank 0 computes and hands its result on to rank 1, which computes on it; with the argument
 * `fast` rank 0 computes in a quarter of the time. Rank 1 has something else to do meanwhile, so
 * that not all that rank 0 saves is gained. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { MS = 1000 };

int main(int argc, char **argv)
{
    int rank, result = 0;
    int fast = argc > 1 && strcmp(argv[1], "fast") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD); /* BEGIN */
    usleep((rank == 1 ? 200 : fast ? 100 : 400) * MS);
    if (rank == 0)
        MPI_Send(&result, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* SEND */
    else
        MPI_Recv(&result, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECEIVE */
    usleep((rank == 1 ? 200 : 1) * MS);
    MPI_Barrier(MPI_COMM_WORLD); /* END */
    MPI_Finalize();
    return 0;
}
