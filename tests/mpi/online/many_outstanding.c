/* So many messages wait for a rank, each with news, that there is no room for what is said
 * beside them.
 *
 * ranks: 2 */
#include "line.h"

enum { MANY = 6000 };

int main(void)
{
    int done = 0;
    MPI_Request request;
    begin(2);
    if (rank == 1) {
        for (int i = 0; i < MANY; i++) {
            /* It chooses before each message, though among its own. */
            MPI_Isend(&i, 1, MPI_INT, 1, 0, WORLD, &request);
            hear(i, WORLD);
            MPI_Wait(&request, IGNORE);
            say(i, 0, WORLD);
        }
        MPI_Send(&done, 1, MPI_INT, 0, 1, WORLD);
    } else {
        MPI_Recv(&done, 1, MPI_INT, 1, 1, WORLD, IGNORE);
        for (int i = 0; i < MANY; i++)
            hear(i, WORLD);
    }
    talk(3);
    MPI_Finalize();
}
