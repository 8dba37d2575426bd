/* A sum in the order of arrival: what it prints depends on who came first. The time that it
 * took differs anyway. Runs on 3 ranks. */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    int rank, x;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begun = MPI_Wtime();
    if (rank == 0) {
        double sum = 1;
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum = sum / 3 + x;
        }
        printf("sum %.3f\ntook %.9f s\n", sum, MPI_Wtime() - begun);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
