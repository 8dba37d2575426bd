/* A matched probe takes the message out of the queue: what races is the probe, not
 * the receive of what it has in its hand.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Message message;
    begin(3);
    if (rank == 0) {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, WORLD, &message, IGNORE); /* RACE: order */
        MPI_Mrecv(&x, 1, MPI_INT, &message, IGNORE);
        MPI_Mprobe(MPI_ANY_SOURCE, 0, WORLD, &message, IGNORE); /* NONE */
        MPI_Mrecv(&x, 1, MPI_INT, &message, IGNORE);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
