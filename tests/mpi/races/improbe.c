/* As mprobe.c, asking until somebody is there, and received without blocking.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Message message;
    MPI_Request request;
    begin(3);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            int there = 0;
            while (!there)
                MPI_Improbe(MPI_ANY_SOURCE, 0, WORLD, &there, &message, IGNORE); /* RACE: order */
            MPI_Imrecv(&x, 1, MPI_INT, &message, &request);
            MPI_Wait(&request, IGNORE);
        }
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
