/* Each form of blocking send, round the ring: full, empty, and to nobody. */
#include "count.h"

enum { N = 16 };
typedef int send_function(const void *, int, MPI_Datatype, int, int, MPI_Comm);

static void receive(int n, int tag)
{
    int data[N];
    MPI_Status status;
    MPI_Recv(data, N, MPI_INT, left, tag, MPI_COMM_WORLD, &status);
    count_status(&status);
    for (int i = 0; i < n; i++)
        CHECK(data[i] == 100 * left + tag + i);
    CHECK(status.MPI_SOURCE == left && status.MPI_TAG == tag);
}

/* Even ranks send first, so that a send which waits for its receive does not wait for ever. */
static void round_trip(send_function *send, int n, int tag)
{
    int data[N];
    for (int i = 0; i < N; i++)
        data[i] = 100 * rank + tag + i;
    if (rank % 2)
        receive(n, tag);
    send(data, n, MPI_INT, right, tag, MPI_COMM_WORLD);
    count_sent(right, n * (long)sizeof(int));
    if (rank % 2 == 0)
        receive(n, tag);
}

/* A ready send may only start when its receive is posted: the right neighbour says so. */
static void ready_send(void)
{
    int data = rank, got = -1;
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, left, 50, MPI_COMM_WORLD, &request);
    MPI_Sendrecv(NULL, 0, MPI_INT, left, 51, NULL, 0, MPI_INT, right, 51, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count_sent(left, 0);
    count_received(right, 0);
    MPI_Rsend(&data, 1, MPI_INT, right, 50, MPI_COMM_WORLD);
    count_sent(right, sizeof data);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    count_received(left, sizeof got);
    CHECK(got == left);
}

int main(int argc, char **argv)
{
    static char buffer[10 * (N * sizeof(int) + MPI_BSEND_OVERHEAD)];
    char *detached;
    int detached_size, untouched = 42;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Buffer_attach(buffer, sizeof buffer);

    send_function *const forms[] = {MPI_Send, MPI_Bsend, MPI_Ssend};
    for (int form = 0; form < 3; form++) {
        round_trip(forms[form], N, 10 + form);
        round_trip(forms[form], 0, 20 + form);
        forms[form](&untouched, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    }
    MPI_Recv(&untouched, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    CHECK(untouched == 42 && status.MPI_SOURCE == MPI_PROC_NULL);
    ready_send();

    MPI_Buffer_detach(&detached, &detached_size);
    print_counted();
    MPI_Finalize();
}
