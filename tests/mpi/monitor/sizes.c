/* Messages of 21 different sizes from one statement to one peer: more than
 * an entry has bins of its own.
 *
 * Says what a histogram should count: `bin first-size messages`. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static char data[1 << 20];
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int size = 1, times = 1; size <= 1 << 20; size *= 2, times++)
        for (int i = 0; i < times; i++) {
            if (rank == 0)
                MPI_Send(data, size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            if (rank == 1)
                MPI_Recv(data, 1 << 20, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    MPI_Finalize();
}
