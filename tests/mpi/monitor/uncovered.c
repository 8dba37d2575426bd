/* All ranks count at one place of rank 0's memory: who comes first gets 0, which no rule decides. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int counter = 0, one = 1, turn = -1;
    MPI_Win window;
    MPI_Win_create(&counter, sizeof counter, sizeof counter, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Fetch_and_op(&one, &turn, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
