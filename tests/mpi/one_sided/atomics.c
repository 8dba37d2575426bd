/* Accumulations, and what is fetched, added, compared and swapped at rank 0; a dynamic window. */
#include "verdict.h"

int main(int argc, char **argv)
{
    int *memory, one = 1, old = -1, none = 0, mine[2] = {3, 4}, local[2] = {0}, late = 0;
    MPI_Aint where = 0;
    MPI_Win window, dynamic;
    begin(&argc, &argv);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    for (int k = 0; k < 4; k++)
        memory[k] = 0;
    MPI_Win_fence(0, window);
    MPI_Accumulate(mine, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        expect("the sum", memory[0], 3 * size);
        expect("the other sum", memory[1], 4 * size);
    }
    MPI_Win_lock_all(0, window);
    MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 2, MPI_SUM, window);
    MPI_Win_flush(0, window);
    expect("the turn", old >= 0 && old < size, 1);
    MPI_Compare_and_swap(&one, &none, &late, MPI_INT, 0, 3, window);
    MPI_Win_flush(0, window);
    MPI_Get_accumulate(NULL, 0, MPI_INT, local, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_NO_OP, window);
    MPI_Win_flush(0, window);
    expect("what is there", local[1], 4 * size);
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        expect("the turns", memory[2], size);
        expect("the swap", memory[3], 1);
        MPI_Win_unlock(0, window);
    }
    MPI_Win_free(&window);

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    MPI_Win_attach(dynamic, local, sizeof local);
    MPI_Get_address(local, &where);
    MPI_Bcast(&where, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    MPI_Win_fence(0, dynamic);
    if (rank == 1)
        MPI_Put(&one, 1, MPI_INT, 0, where, 1, MPI_INT, dynamic);
    MPI_Win_fence(0, dynamic);
    if (rank == 0)
        expect("what was put at an address", local[0], 1);
    MPI_Win_detach(dynamic, local);
    MPI_Win_free(&dynamic);
    return end();
}
