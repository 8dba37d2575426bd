/* Rank 1 comes late to what rank 0 waits for: the receives of a synchronous and of a long message,
 * and nonblocking collective operations. Each wait is a statement of its own. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { LATE = 200000, LONG = 1 << 20 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, word = 0, sum = 0;
    char *bytes = calloc(LONG, 1);
    MPI_Request request, both[2];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Issend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Isend(bytes, LONG, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &both[0]);
        MPI_Isend(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    }
    if (rank == 1) {
        usleep(LATE);
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(LATE);
        MPI_Recv(bytes, LONG, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    usleep(rank == 1 ? LATE : 0);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    usleep(rank == 1 ? LATE : 0);
    MPI_Ibcast(&word, 1, MPI_INT, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    usleep(rank == 1 ? LATE : 0);
    MPI_Ireduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request);
    MPI_Iallreduce(&rank, &word, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &both[0]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&both[0], MPI_STATUS_IGNORE);
    free(bytes);
    MPI_Finalize();
    return 0;
}
