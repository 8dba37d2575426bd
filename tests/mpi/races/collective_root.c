/* Either rank takes itself for the root.
 *
 * ranks: 2
 * ends: anyhow */
#include "race.h"

int main(void)
{
    begin(2);
    MPI_Bcast(&x, 1, MPI_INT, rank, WORLD); /* ERROR: collective root */
    MPI_Finalize();
}
