/* Sends and receives in one call, the receive from anybody; every rank sends to the next two. */
#include "saw.h"

enum { ROUNDS = 10 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    for (int i = 0; i < ROUNDS; i++) {
        int out = 100 * rank + i, in = -1;
        MPI_Status status;
        MPI_Request request;
        dawdle(300);
        MPI_Isend(&out, 1, MPI_INT, (rank + 2) % size, 5, MPI_COMM_WORLD, &request);
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 5, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                     MPI_COMM_WORLD, &status);
        saw(in);
        saw_status(&status);
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        saw(in);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        in = out;
        MPI_Sendrecv_replace(&in, 1, MPI_INT, (rank + 1) % size, 6, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status);
        saw(in);
    }
    print_saw();
    MPI_Finalize();
}
