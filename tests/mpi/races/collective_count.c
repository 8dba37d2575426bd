/* The root sends two, the other expects four.
 *
 * ranks: 2
 * ends: anyhow */
#include "race.h"

int main(void)
{
    int many[4] = {0};
    begin(2);
    MPI_Bcast(many, rank == 0 ? 2 : 4, MPI_INT, 0, WORLD); /* ERROR: collective count */
    MPI_Finalize();
}
