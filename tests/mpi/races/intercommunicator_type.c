/* A broadcast from one group to another, where they expect another type, as many bytes.
 *
 * ranks: 3
 * ends: anyhow */
#include "race.h"

int main(void)
{
    MPI_Comm own, across;
    begin(3);
    MPI_Comm_split(WORLD, rank > 0, rank, &own);
    MPI_Intercomm_create(own, 0, WORLD, rank > 0 ? 0 : 1, 0, &across);
    int root = rank > 0 ? 0 : MPI_ROOT;
    MPI_Bcast(&x, 1, rank == 0 ? MPI_FLOAT : MPI_INT, root, across); /* ERROR: collective type */
    MPI_Finalize();
}
