/* Pairs exchange messages, and at times all meet: what one clock could not have stamped, if
 * every process counts from its own begin. */
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv) {
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct timespec pause = {0, 500000};
    for (int round = 0; round < 20; round++) {
        for (int bit = 1; bit < 4; bit *= 2) {
            int peer = rank ^ bit;
            if (rank < peer) {
                MPI_Send(&value, 1, MPI_INT, peer, bit, MPI_COMM_WORLD);
                MPI_Recv(&value, 1, MPI_INT, peer, bit, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(&value, 1, MPI_INT, peer, bit, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(&value, 1, MPI_INT, peer, bit, MPI_COMM_WORLD);
            }
        }
        if (round % 10 == 9)
            MPI_Barrier(MPI_COMM_WORLD);
        nanosleep(&pause, NULL);
    }
    MPI_Finalize();
    return 0;
}
