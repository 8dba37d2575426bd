/* Two ints and a double are of one length, and not of one type (MPI 4.1, §3.3.1).
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    int pair[2] = {1, 2};
    double real = 3;
    begin(3);
    if (rank == 0) {
        MPI_Recv(pair, 2, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: hazard: type */
        tell(2);
        MPI_Recv(&real, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else if (rank == 1) {
        MPI_Send(pair, 2, MPI_INT, 0, 0, WORLD);
    } else {
        hear(0);
        MPI_Send(&real, 1, MPI_DOUBLE, 0, 0, WORLD);
    }
    MPI_Finalize();
}
