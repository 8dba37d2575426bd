/* An access epoch that the other side never opens: whom it waits for, no trace tells.
 *
 * ranks: 2
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    MPI_Win window;
    MPI_Group world, other;
    begin(2);
    MPI_Win_create(&x, sizeof x, sizeof x, MPI_INFO_NULL, WORLD, &window);
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){1 - rank}, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    }
    MPI_Finalize();
}
