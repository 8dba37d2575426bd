/* A send and a receive from anybody with one request (since MPI 4.0), completed by Wait and Test.
 * Where MPI's status does not say what was received, nobody can record it. */
#include "saw.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
#if MPI_VERSION >= 4
    enum { ROUNDS = 6 };
    for (int i = 0; i < ROUNDS; i++) {
        int out = 100 * rank + i, in = -1, done = 0;
        MPI_Request request;
        dawdle(300);
        if (i % 2 == 0) {
            MPI_Isendrecv(&out, 1, MPI_INT, (rank + 1) % size, 5, &in, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD,
                          &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            in = out;
            MPI_Isendrecv_replace(&in, 1, MPI_INT, (rank + 1) % size, 5, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
            while (!done)
                MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        }
        saw(in);
    }
#else
    if (rank == 0)
        puts("nothing to do: MPI before 4.0 has no MPI_Isendrecv");
#endif
    print_saw();
    MPI_Finalize();
}
