/* Two windows, one with a name: puts and gets between fences; rank 1 comes 200 ms late to one. */
#include "verdict.h"

int main(int argc, char **argv)
{
    int *memory, own[4] = {0}, got[2] = {0};
    MPI_Win window, other;
    begin(&argc, &argv);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_set_name(window, "halo");
    MPI_Win_create(own, sizeof own, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    memory[2] = 100 + rank;
    memory[3] = 200 + rank;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    MPI_Win_fence(0, other);
    MPI_Put(&rank, 1, MPI_INT, next, 0, 1, MPI_INT, window);
    MPI_Get(got, 2, MPI_INT, next, 2, 2, MPI_INT, window);
    MPI_Put(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window);
    MPI_Put(got, 0, MPI_INT, next, 0, 0, MPI_INT, other);
    if (rank == 1)
        doze(200);
    MPI_Win_fence(0, window); /* LATE */
    expect("what was put", memory[0], before);
    expect("the first got", got[0], 100 + next);
    expect("the second got", got[1], 200 + next);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, other);
    MPI_Win_free(&other);
    MPI_Win_free(&window);
    return end();
}
