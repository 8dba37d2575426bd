/* Rank 0 holds the lock of rank 0's part for 200 ms while rank 1 asks for it; then both share all
 * parts, and flush in each way there is. */
#include "verdict.h"

int main(int argc, char **argv)
{
    int *memory, value = 7, got = 0, turn = 0;
    MPI_Win window;
    begin(&argc, &argv);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
    for (int k = 0; k < 4; k++)
        memory[k] = 0;
    MPI_Win_sync(window);
    MPI_Win_unlock(rank, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        MPI_Send(&turn, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        doze(200);
        MPI_Win_unlock(0, window); /* HELD */
    } else if (rank == 1) {
        MPI_Recv(&turn, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window); /* ASKED */
        MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window); /* GOT */
        expect("what the holder put", got, 7);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Win_unlock(0, window);
    MPI_Win_lock_all(0, window);
    value = 20 + rank;
    MPI_Put(&value, 1, MPI_INT, 0, 1 + rank, 1, MPI_INT, window);
    MPI_Win_flush_local(0, window);
    value = 30 + rank;
    MPI_Put(&value, 1, MPI_INT, 1, 1 + rank, 1, MPI_INT, window);
    MPI_Win_flush_local_all(window);
    MPI_Win_flush_all(window);
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
    if (rank < 2) {
        expect("from rank 0", memory[1], rank == 0 ? 20 : 30);
        expect("from rank 1", memory[2], rank == 0 ? 21 : 31);
    }
    MPI_Win_unlock(rank, window);
    MPI_Win_free(&window);
    return end();
}
