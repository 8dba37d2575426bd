/* Recording is off on rank 1 for a while: a window is made, fenced and freed meanwhile, another
 * lives on, and fences of both sides belong together afterwards. The put is on the first window:
 * MPICH 4.0 may take the memory of another one for that of a later window. */
#include "verdict.h"

int main(int argc, char **argv)
{
    int *memory, none;
    MPI_Win before, between, during;
    begin(&argc, &argv);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &before);
    MPI_Win_fence(0, before);
    if (rank == 1)
        MPI_Pcontrol(0);
    MPI_Win_create(&none, sizeof none, sizeof none, MPI_INFO_NULL, MPI_COMM_WORLD, &between);
    MPI_Win_fence(0, between);
    MPI_Win_free(&between);
    MPI_Win_create(&none, sizeof none, sizeof none, MPI_INFO_NULL, MPI_COMM_WORLD, &during);
    MPI_Win_set_name(during, "made unseen");
    MPI_Win_fence(0, during);
    MPI_Win_fence(0, before);
    MPI_Win_fence(0, before);
    if (rank == 1) {
        MPI_Pcontrol(1);
        doze(200);
    }
    MPI_Win_fence(0, during); /* LATE */
    MPI_Win_fence(0, during);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, before);
    if (rank == 0)
        doze(200);
    MPI_Win_fence(0, before); /* LATER */
    expect("what was put", *memory, (rank + size - 1) % size);
    MPI_Win_free(&during);
    MPI_Win_free(&before);
    return end();
}
