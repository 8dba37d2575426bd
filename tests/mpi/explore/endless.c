/* If rank 2 comes first, rank 0 talks to itself for ever. */
#include "../races/race.h"

int main(void)
{
    MPI_Status status;
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &status);
        tell(2);
        MPI_Recv(&x, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, WORLD, IGNORE);
        while (status.MPI_SOURCE == 2)
            MPI_Sendrecv(&x, 1, MPI_INT, 0, 1, &size, 1, MPI_INT, 0, 1, WORLD, IGNORE);
    } else {
        if (rank == 2)
            hear(0);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
