/* Each member of a scan sends and receives another number of bytes: correct.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    int one = 1, sum;
    begin(3);
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD);   /* NONE */
    MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD); /* NONE */
    MPI_Finalize();
}
