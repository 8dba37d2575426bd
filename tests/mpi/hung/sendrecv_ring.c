/* Everybody talks to the right and listens to the right.
 *
 * ranks: 3
 * ends: killed */
#include "../races/race.h"

int main(void)
{
    int y, next;
    begin(3);
    next = (rank + 1) % size;
    MPI_Sendrecv(&x, 1, MPI_INT, next, 0, &y, 1, MPI_INT, next, 0, WORLD, IGNORE); /* ERROR: deadlock */
    MPI_Finalize();
}
