/* Two windows of the same ranks, in opposite order.
 *
 * ranks: 2
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Win a, b;
    int y;
    begin(2);
    MPI_Win_create(&x, sizeof x, sizeof x, MPI_INFO_NULL, WORLD, &a);
    MPI_Win_create(&y, sizeof y, sizeof y, MPI_INFO_NULL, WORLD, &b);
    MPI_Win_fence(0, rank == 0 ? a : b); /* ERROR: deadlock */
    MPI_Win_fence(0, rank == 0 ? b : a);
    MPI_Win_free(&a);
    MPI_Win_free(&b);
    MPI_Finalize();
}
