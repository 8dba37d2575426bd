/* Rank 1 comes late to a barrier, sends late, begins a broadcast late and
 * comes late to a reduction: rank 0 waits for it in each of these, and each is
 * a statement of its own. */
#include <mpi.h>
#include <unistd.h>

enum { LATE = 20000 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, word = 0, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        usleep(rank == 1 ? LATE : 0);
        MPI_Barrier(MPI_COMM_WORLD);
        usleep(rank == 1 ? LATE : 0);
        if (rank == 1)
            MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(rank == 1 ? LATE : 0);
        MPI_Bcast(&word, 1, MPI_INT, 1, MPI_COMM_WORLD);
        usleep(rank == 1 ? LATE : 0);
        MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
