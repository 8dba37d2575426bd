/* As many bytes on both sides, and not of the same type.
 *
 * ranks: 2
 * ends: anyhow */
#include "race.h"

int main(void)
{
    double real = 0;
    begin(2);
    MPI_Bcast(&real, rank == 0 ? 1 : 2, rank == 0 ? MPI_DOUBLE : MPI_INT, 0, WORLD); /* ERROR: collective type */
    MPI_Finalize();
}
