/* Rank 0 keeps the lock that rank 1 waits for, and waits for rank 1.
 *
 * ranks: 2
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Win window;
    begin(2);
    MPI_Win_create(&x, sizeof x, sizeof x, MPI_INFO_NULL, WORLD, &window);
    if (rank == 0)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Barrier(WORLD);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, 1, 0, WORLD, IGNORE);
        MPI_Win_unlock(0, window);
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
