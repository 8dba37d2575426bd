/* The root expects another type than the others send, as many bytes.
 *
 * ranks: 3
 * ends: anyhow */
#include "race.h"

int main(void)
{
    float all[3];
    int counts[3] = {1, 1, 1}, places[3] = {0, 1, 2};
    begin(3);
    MPI_Gatherv(&x, 1, MPI_INT, all, counts, places, MPI_FLOAT, 0, WORLD); /* ERROR: collective type */
    MPI_Finalize();
}
