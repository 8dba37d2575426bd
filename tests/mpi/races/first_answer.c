/* Two answer, one answer is taken. Which one is open, and the other is lost either way.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
    else
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD); /* ERROR: unmatched send */
    MPI_Finalize();
}
