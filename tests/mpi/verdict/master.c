/* Rank 0 answers the others, one after the other, and needs a while for each. */
#include "plant.h"

enum { REQUESTS = 8 };

int main(int argc, char **argv)
{
    int rank, size, what = 0;
    MPI_Status status;
    MPI_Comm all = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    MPI_Barrier(all);
    for (int number = 0; rank == 0 && number < REQUESTS * (size - 1); number++) {
        MPI_Recv(&what, 1, MPI_INT, MPI_ANY_SOURCE, 0, all, &status); /* BEFORE */
        rest(30);
        MPI_Send(&what, 1, MPI_INT, status.MPI_SOURCE, 0, all); /* AFTER */
    }
    for (int number = 0; rank > 0 && number < REQUESTS; number++) {
        MPI_Send(&what, 1, MPI_INT, 0, 0, all);
        MPI_Recv(&what, 1, MPI_INT, 0, 0, all, &status);
        rest(5);
    }
    MPI_Finalize();
    return 0;
}
