/* Rank 0 sends numbers to rank 1, each in a message of its own. */
#include "plant.h"

enum { NUMBERS = 40000 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (long number = 0; number < NUMBERS; number++) {
        if (rank == 0)
            MPI_Send(&number, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD); /* PLANT */
        else
            MPI_Recv(&number, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
