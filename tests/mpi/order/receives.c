/* Rank 0 receives from anybody: blocking, with any tag, many at once, on two communicators;
 * waited for in another order than posted. */
#include "saw.h"

enum { ROUNDS = 8, TAGS = 3 };

static void senders(MPI_Comm other)
{
    for (int i = 0; i < 4 * ROUNDS; i++) {
        int data = 100 * rank + i;
        MPI_Comm comm = i % 4 == 3 ? other : MPI_COMM_WORLD;
        dawdle(300);
        MPI_Send(&data, 1, MPI_INT, 0, i % 4 == 1 ? i % TAGS : 9, comm);
    }
}

static void receiver(MPI_Comm other)
{
    int n = ROUNDS * (size - 1), data[4];
    for (int i = 0; i < n; i++) {
        MPI_Request requests[4];
        MPI_Status status;
        MPI_Irecv(&data[0], 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&data[1], 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(&data[3], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, &requests[3]);
        MPI_Wait(&requests[1], &status);
        saw_status(&status);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        for (int tag = 0; tag < TAGS; tag++) /* a look that finds something or not, and is not told */
            MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &data[2], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[3], &status);
        saw_status(&status);
        for (int k = 0; k < 2; k++)
            saw(data[k]);
        saw(data[3]);
    }
    for (int i = 0; i < n; i++) {
        MPI_Status status;
        MPI_Recv(&data[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        saw_status(&status);
        saw(data[0]);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank > 0)
        senders(other);
    else
        receiver(other);
    MPI_Comm_free(&other);
    print_saw();
    MPI_Finalize();
}
