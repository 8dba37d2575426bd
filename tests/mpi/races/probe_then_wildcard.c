/* The probe says how long the message is, but the receive asks for anybody's. Which of
 * the two MPI hands out is not promised; if it is the longer one, it does not fit.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    int many[100] = {0}, n;
    MPI_Status status;
    begin(3);
    if (rank == 0) {
        MPI_Probe(MPI_ANY_SOURCE, 0, WORLD, &status); /* RACE: order */
        MPI_Get_count(&status, MPI_INT, &n);
        MPI_Recv(many, n, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: hazard: truncation */
        tell(2);
        MPI_Recv(many, 100, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else if (rank == 1) {
        MPI_Send(many, 1, MPI_INT, 0, 0, WORLD);
    } else {
        hear(0);
        MPI_Send(many, 100, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
