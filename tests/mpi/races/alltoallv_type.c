/* One of three calls another type what the others send it, as many bytes.
 *
 * ranks: 3
 * ends: anyhow */
#include "race.h"

int main(void)
{
    int in[3] = {1, 2, 3}, out[3], counts[3] = {1, 1, 1}, places[3] = {0, 1, 2};
    begin(3);
    MPI_Datatype own = rank == 1 ? MPI_FLOAT : MPI_INT;
    MPI_Alltoallv(in, counts, places, own, out, counts, places, own, WORLD); /* ERROR: collective type */
    MPI_Finalize();
}
