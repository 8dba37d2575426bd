/* All ranks receive from anybody, and nobody is left to send. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
