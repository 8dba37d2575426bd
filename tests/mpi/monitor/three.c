/* Three processes: P0 receives from anybody, P1 sends to it, P2 waits for P0.
 *
 * P2 waits since before P1 has sent, so its virtual time stands at an earlier
 * moment: whoever takes it for one that may still send earlier waits for ever. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, word = 0;
    MPI_Status status;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            printf("took %d\n", status.MPI_SOURCE);
            if (i == 0)
                MPI_Send(&word, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
        }
    } else if (rank == 1) {
        usleep(50000);
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
