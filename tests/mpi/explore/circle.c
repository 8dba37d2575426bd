/* Whoever comes first is answered. If that is rank 2, ranks 0 and 1 wait for each other. */
#include "../races/race.h"

int main(void)
{
    MPI_Status status;
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &status);
        tell(2);
        MPI_Send(&x, 1, MPI_INT, status.MPI_SOURCE, 1, WORLD);
        MPI_Recv(&x, 1, MPI_INT, 1, 2, WORLD, IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, WORLD, IGNORE);
    } else if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 1, WORLD, IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 2, WORLD);
    } else {
        hear(0);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
