/* Two communicators of the same ranks, in opposite order.
 *
 * ranks: 2
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Comm a, b;
    begin(2);
    MPI_Comm_dup(WORLD, &a);
    MPI_Comm_dup(WORLD, &b);
    MPI_Barrier(rank == 0 ? a : b); /* ERROR: deadlock */
    MPI_Barrier(rank == 0 ? b : a);
    MPI_Finalize();
}
