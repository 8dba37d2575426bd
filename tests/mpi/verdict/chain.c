/* Rank 0 is late; each rank sends to the next one only after it has received,
 * so that all wait for rank 0, most of them for one that waits itself. */
#include "plant.h"

enum { ROUNDS = 5 };

int main(int argc, char **argv)
{
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Barrier(MPI_COMM_WORLD); /* BEFORE */
        rest(rank == 0 ? 120 : 4);
        if (rank > 0)
            MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < size - 1)
            MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); /* AFTER */
    }
    MPI_Finalize();
    return 0;
}
