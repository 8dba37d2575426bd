/* As loop.c, but each round ends with an answer to every sender: messages of one
 * round race, those of different rounds cannot.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    begin(3);
    for (int i = 0; i < 5; i++) {
        if (rank == 0) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
            for (int r = 1; r < size; r++)
                MPI_Send(&x, 1, MPI_INT, r, 1, WORLD);
        } else {
            MPI_Send(&i, 1, MPI_INT, 0, 0, WORLD);
            MPI_Recv(&x, 1, MPI_INT, 0, 1, WORLD, IGNORE);
        }
    }
    MPI_Finalize();
}
