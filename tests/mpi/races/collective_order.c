/* One rank broadcasts first and reduces then, the other the other way round.
 *
 * ranks: 2
 * ends: anyhow */
#include "race.h"

int main(void)
{
    int sum = 0;
    begin(2);
    if (rank == 0) {
        MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, WORLD);
    } else {
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, WORLD); /* ERROR: collective order */
        MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
    }
    MPI_Finalize();
}
