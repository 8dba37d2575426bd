/* A procedure with a loop, for the sample of structures and statistics (make-samples). */
#include <mpi.h>

void work(void)
{
    for (int step = 0; step < 3; step++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(void)
{
    MPI_Init(0, 0);
    work();
    MPI_Finalize();
}
