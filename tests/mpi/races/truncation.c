/* The long message came second, where there is room for it. First, it would not fit.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    int many[100] = {0};
    begin(3);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: hazard: truncation */
        tell(2);
        MPI_Recv(many, 100, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    } else {
        hear(0);
        MPI_Send(many, 100, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
