/* Sends that are cancelled, if MPI can do that, before others of the same line; receives that are.
 *
 * ranks: 2 */
#include "line.h"

int main(void)
{
    static int large[1 << 20];
    int cancelled = 0;
    MPI_Request request;
    MPI_Status status;
    begin(2);
    talk(3);
    if (rank == 0) {
        MPI_Issend(large, 1 << 20, MPI_INT, 1, 0, WORLD, &request);
        MPI_Cancel(&request);
        /* Where sends cannot be cancelled, it is received. */
        int done = 0;
        for (int tries = 0; !done && tries < 1000; tries++)
            MPI_Test(&request, &done, &status);
        if (done)
            MPI_Test_cancelled(&status, &cancelled);
        MPI_Send(&cancelled, 1, MPI_INT, 1, 1, WORLD);
        if (!done)
            MPI_Wait(&request, IGNORE);
    } else {
        MPI_Recv(&cancelled, 1, MPI_INT, 0, 1, WORLD, IGNORE);
        if (!cancelled)
            MPI_Recv(large, 1 << 20, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
    }
    MPI_Irecv(large, 1, MPI_INT, MPI_ANY_SOURCE, 9, WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, IGNORE);
    talk(5);
    MPI_Finalize();
}
