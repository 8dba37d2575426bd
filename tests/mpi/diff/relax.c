/* Two ranks relax and meet, twelve times; with the argument `slower` one of two steps takes longer. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { MS = 1000, ROUNDS = 12 };

int main(int argc, char **argv)
{
    int rank, one = 1, all = 0;
    int slower = argc > 1 && strcmp(argv[1], "slower") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < ROUNDS; round++) {
        usleep(2 * MS);
        MPI_Barrier(MPI_COMM_WORLD); /* BARRIER */
        usleep((slower ? 9 : 3) * MS);
        MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* MEET */
    }
    MPI_Finalize();
    return all == 2 ? 0 : 1;
}
