/* As header_then_body.c, with one tag for both: nothing but the order within each pair
 * tells a header from a body, and that is enough.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Status status;
    begin(3);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &status); /* RACE: order */
            MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 0, WORLD, IGNORE);
        }
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
