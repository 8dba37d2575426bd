/* Each round has a part that all ranks share, of 200 ms or as given, and one that rank 0 does alone while
   the others wait. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { MS = 1000, ROUNDS = 3, ALONE = 50 };

int main(int argc, char **argv)
{
    int rank, size, round;
    int shared = argc > 1 ? atoi(argv[1]) : 200;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (round = 0; round < ROUNDS; round++) {
        usleep(shared * MS / size);
        MPI_Barrier(MPI_COMM_WORLD); /* BARRIER */
        if (rank == 0)
            usleep(ALONE * MS);
        MPI_Bcast(&round, 1, MPI_INT, 0, MPI_COMM_WORLD); /* BROADCAST */
    }
    MPI_Finalize();
    return 0;
}
