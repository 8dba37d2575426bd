/* A buffered send returns at once, and its message has to be received all the same.
 *
 * ranks: 2
 * ends: anyhow */
#include "race.h"

int main(void)
{
    static char room[1024 + MPI_BSEND_OVERHEAD];
    begin(2);
    MPI_Buffer_attach(room, sizeof room);
    if (rank == 0)
        MPI_Bsend(&x, 1, MPI_INT, 1, 0, WORLD); /* ERROR: unmatched send */
    MPI_Barrier(WORLD);
    MPI_Finalize();
}
