// Rank 0 sends from two lines: 30 messages from one, 10 from the other.
#include <mpi.h>
#include <stdio.h>

enum { FEW = 10, MANY = 3 * FEW };

int main(int argc, char **argv) {
    int rank, value = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < MANY; i++)
            MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); // many
        for (int i = 0; i < FEW; i++)
            MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); // few
    } else if (rank == 1) {
        for (int i = 0; i < MANY + FEW; i++)
            MPI_Recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d\n", value);
    }
    MPI_Finalize();
    return 0;
}
