/* Two pairs exchange data of different types in one operation: nobody meets another type.
 *
 * ranks: 4 */
#include "race.h"

int main(void)
{
    double in = 1, out;
    int counts[4] = {0}, places[4] = {0};
    begin(4);
    MPI_Datatype own = rank < 2 ? MPI_INT : MPI_DOUBLE, types[4] = {own, own, own, own};
    counts[rank ^ 1] = 1;
    MPI_Alltoallw(&in, counts, places, types, &out, counts, places, types, WORLD); /* NONE */
    MPI_Finalize();
}
