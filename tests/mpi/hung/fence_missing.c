/* One rank closes the epoch once less than the others.
 *
 * ranks: 3
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Win window;
    begin(3);
    MPI_Win_create(&x, sizeof x, sizeof x, MPI_INFO_NULL, WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    if (rank != 1)
        MPI_Win_fence(0, window); /* ERROR: deadlock */
    MPI_Barrier(WORLD); /* ERROR: deadlock */
    MPI_Win_free(&window);
    MPI_Finalize();
}
