/* Recording is off on rank 1 for a while: a window is made, fenced and freed meanwhile, another
 * lives on, and fences of both sides belong together afterwards. */
#include "verdict.h"

int main(int argc, char **argv)
{
    int *memory;
    MPI_Win before, between, during;
    begin(&argc, &argv);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &before);
    MPI_Win_fence(0, before);
    if (rank == 1)
        MPI_Pcontrol(0);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &between);
    MPI_Win_fence(0, between);
    MPI_Win_free(&between);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &during);
    MPI_Win_set_name(during, "made unseen");
    MPI_Win_fence(0, during);
    MPI_Win_fence(0, before);
    MPI_Win_fence(0, before);
    if (rank == 1) {
        MPI_Pcontrol(1);
        doze(200);
    }
    MPI_Win_fence(0, during); /* LATE */
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, during);
    MPI_Win_fence(0, during);
    expect("what was put", *memory, (rank + size - 1) % size);
    if (rank == 0)
        doze(200);
    MPI_Win_fence(0, before); /* LATER */
    MPI_Win_free(&during);
    MPI_Win_free(&before);
    return end();
}
