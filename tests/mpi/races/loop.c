/* Three senders, five messages each, into one loop.
 *
 * ranks: 4 */
#include "race.h"

int main(void)
{
    begin(4);
    if (rank == 0)
        for (int i = 0; i < 5 * (size - 1); i++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
    else
        for (int i = 0; i < 5; i++)
            MPI_Send(&i, 1, MPI_INT, 0, 0, WORLD);
    MPI_Finalize();
}
