/* Rank 0 receives from anybody, any tag: blocking, nonblocking, and combined. What
 * arrives says who sent it with which tag, and the status must say the same. */
#include "count.h"

static int told; /* sender and tag, as one number */

static void check(MPI_Status *status)
{
    CHECK(told == 1000 * status->MPI_SOURCE + status->MPI_TAG);
    count_status(status);
}

static void send(int tag)
{
    int data = 1000 * rank + tag;
    MPI_Send(&data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    count_sent(0, sizeof data);
}

int main(int argc, char **argv)
{
    MPI_Status status;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    look_around();
    if (rank > 0) {
        for (int tag = 1; tag <= 4; tag++)
            send(tag);
    } else {
        for (int i = 0; i < 2 * (size - 1); i++) {
            MPI_Recv(&told, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            check(&status);
            MPI_Irecv(&told, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, &status);
            check(&status);
        }
    }
    COLLECTIVE(MPI_Barrier(MPI_COMM_WORLD)); /* what follows must not match above */

    int own = 1000 * rank + 5; /* one wildcard only: source known, then tag known */
    MPI_Sendrecv(&own, 1, MPI_INT, right, 5, &told, 1, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    count_sent(right, sizeof own);
    check(&status);
    own++;
    MPI_Sendrecv(&own, 1, MPI_INT, right, 6, &told, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status);
    count_sent(right, sizeof own);
    check(&status);
    print_counted();
    MPI_Finalize();
}
