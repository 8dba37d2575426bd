/* A tool linked into the program, between it and MPI: its MPI_Send counts and calls PMPI_Send.
   The program itself calls PMPI_Barrier. Prints how many sends the tool saw. */
#include <mpi.h>
#include <stdio.h>

static int sent;

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    sent++;
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int main(int argc, char **argv) {
    int rank, ranks, value = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 5; i++) {
        if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("the tool saw %d sends\n", sent);
    MPI_Finalize();
    return 0;
}
