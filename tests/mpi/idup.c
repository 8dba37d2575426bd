/* Communicators of MPI_Comm_idup: messages with the same peers and tags as in the world,
 * told from them by their sizes alone, and received in another order than sent. Of two
 * that are made together, even ranks use the first first and odd ranks the second. */
#include "count.h"

enum { TAG = 5 };

/* Sends `count` ints to the right. */
static void start(MPI_Comm comm, int *out, int count, MPI_Request *request)
{
    MPI_Isend(out, count, MPI_INT, right, TAG, comm, request);
    count_sent(right, count * (long)sizeof(int));
}

/* Receives what the left neighbour sent: that many, and no fewer. */
static void expect(MPI_Comm comm, int count)
{
    int in[8], got;
    MPI_Status status;
    MPI_Recv(in, 8, MPI_INT, left, TAG, comm, &status);
    MPI_Get_count(&status, MPI_INT, &got);
    CHECK(got == count && in[0] == left);
    count_status(&status);
}

static MPI_Comm duplicate(const char *name)
{
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_set_name(comm, name);
    return comm;
}

int main(int argc, char **argv)
{
    int out[8];
    MPI_Comm first, second, alone;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    look_around();
    for (int i = 0; i < 8; i++)
        out[i] = rank;

    alone = duplicate("alone");
    start(MPI_COMM_WORLD, out, 1, &requests[0]);
    start(alone, out, 3, &requests[1]);
    expect(alone, 3);
    expect(MPI_COMM_WORLD, 1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

    MPI_Comm_idup(MPI_COMM_WORLD, &first, &requests[0]);
    MPI_Comm_idup(MPI_COMM_WORLD, &second, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    int odd = rank % 2;
    start(odd ? second : first, out, odd ? 6 : 5, &requests[0]);
    start(odd ? first : second, out, odd ? 5 : 6, &requests[1]);
    expect(odd ? second : first, odd ? 6 : 5);
    expect(odd ? first : second, odd ? 5 : 6);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_set_name(first, "first");
    MPI_Comm_set_name(second, "second");

    MPI_Comm_free(&second);
    MPI_Comm_free(&first);
    MPI_Comm_free(&alone);
    print_counted();
    MPI_Finalize();
}
