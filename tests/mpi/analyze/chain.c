/* Rank 2 works, rank 1 waits for it and works, rank 0 waits for rank 1 and
 * works: the critical path passes from rank 2 over rank 1 to rank 0, and none
 * of their waiting is on it. */
#include <mpi.h>
#include <unistd.h>

enum { MS = 1000 };

int main(int argc, char **argv)
{
    int rank, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank < 2)
        MPI_Recv(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECEIVES */
    usleep(300 * MS);
    if (rank > 0)
        MPI_Send(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD); /* SENDS */
    MPI_Finalize();
    return 0;
}
