/* Both send too much for MPI to keep before either receives.
 *
 * ranks: 2
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    static char much[1 << 24], more[1 << 24];
    begin(2);
    MPI_Send(much, sizeof much, MPI_CHAR, 1 - rank, 0, WORLD); /* ERROR: deadlock */
    MPI_Recv(more, sizeof more, MPI_CHAR, 1 - rank, 0, WORLD, IGNORE);
    MPI_Finalize();
}
