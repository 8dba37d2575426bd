/* Messages of different lengths, and room for the longer in both receives.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    int many[100] = {0};
    begin(3);
    if (rank == 0) {
        MPI_Recv(many, 100, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        MPI_Recv(many, 100, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else {
        MPI_Send(many, rank == 1 ? 1 : 100, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
