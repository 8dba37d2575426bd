/* Another datatype and count on either side, but of one signature: correct.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    double four[4] = {0};
    MPI_Datatype pair;
    begin(2);
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Bcast(four, rank == 0 ? 4 : 2, rank == 0 ? MPI_DOUBLE : pair, 0, WORLD); /* NONE */
    MPI_Type_free(&pair);
    MPI_Finalize();
}
