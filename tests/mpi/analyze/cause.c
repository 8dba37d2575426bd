/* Rank 0 computes longer than the others between two calls of MPI; rank 1
 * waits for it, and rank 2 for rank 1, which computes no longer than itself:
 * rank 0 is what both wait for, directly and through the wait of rank 1. */
#include <mpi.h>
#include <unistd.h>

enum { MS = 1000, ROUNDS = 3 };

int main(int argc, char **argv)
{
    int rank, token = 0;
    MPI_Comm all = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(all, &rank);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Barrier(all); /* BEFORE */
        usleep((rank == 0 ? 400 : 20) * MS);
        if (rank > 0)
            MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, all, MPI_STATUS_IGNORE);
        if (rank < 2)
            MPI_Send(&token, 1, MPI_INT, rank + 1, 0, all); /* AFTER */
    }
    MPI_Finalize();
    return 0;
}
