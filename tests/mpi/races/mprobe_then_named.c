/* A matched probe for anybody may take what a receive by name waits for.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Message message;
    begin(3);
    if (rank == 0) {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, WORLD, &message, IGNORE); /* RACE: hazard: unmatched */
        tell(2);
        MPI_Recv(&x, 1, MPI_INT, 2, 0, WORLD, IGNORE);
        MPI_Mrecv(&x, 1, MPI_INT, &message, IGNORE);
    } else {
        if (rank == 2)
            hear(0);
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
