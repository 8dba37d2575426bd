/* 64 statements, each of which exchanges with so many neighbours on either side:
 * what statistics take on disk for a program of some size.
 *
 *     statements [neighbours = 1] */
#include <mpi.h>
#include <stdlib.h>

static int rank, size, word;

/* An exchange with those so far away; each use is a statement of its own. */
#define EXCHANGE                                                                              \
    for (int far = 1; far <= neighbours; far++)                                               \
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + far) % size, far, &word, 1, MPI_INT,           \
                     (rank + size - far) % size, far, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#define FOUR EXCHANGE EXCHANGE EXCHANGE EXCHANGE
#define SIXTEEN FOUR FOUR FOUR FOUR

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int neighbours = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    SIXTEEN SIXTEEN SIXTEEN SIXTEEN
    MPI_Finalize();
}
