/* An exposure epoch that the other side never ends.
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
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    }
    MPI_Finalize();
}
