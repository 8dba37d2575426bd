/* For a size N each round has a part whose time grows as N and one whose time grows as N*N. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { MS = 1000, ROUNDS = 2, LINEAR = 60, QUADRATIC = 10 };

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 1;
    int round;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD); /* no rank waits for one that starts late in what grows */
    for (round = 0; round < ROUNDS; round++) {
        usleep(LINEAR * MS * size);
        MPI_Barrier(MPI_COMM_WORLD); /* LINEAR */
        usleep(QUADRATIC * MS * size * size);
        MPI_Allreduce(MPI_IN_PLACE, &round, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /* QUADRATIC */
    }
    MPI_Finalize();
    return 0;
}
