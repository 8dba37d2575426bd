/* Odd but legal calls: nothing to send, nothing to wait for, types and arrays that are
 * null where a count is 0; and errors that return, after which MPI may give out the handle
 * of a request that failed again. */
#include "count.h"
#include <unistd.h>

enum { TAG = 7, TRUNCATED = 8, AFTER = 9, MAX = 8, N = 3 };
#define W MPI_COMM_WORLD

static void nothing_to_do(void)
{
    int zeros[MAX] = {0}, done = 0, index;
    MPI_Datatype types[MAX];
    MPI_Request null[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}, inactive[2];
    MPI_Status status, statuses[2];
    char in, out;
    for (int i = 0; i < MAX; i++)
        types[i] = MPI_DATATYPE_NULL; /* not every MPI takes it, but it must not hurt */
    COLLECTIVE(MPI_Alltoallw(&out, zeros, zeros, types, &in, zeros, zeros, types, W));
    for (int i = 0; i < MAX; i++)
        types[i] = MPI_BYTE;
    COLLECTIVE(MPI_Alltoallw(&out, zeros, zeros, types, &in, zeros, zeros, types, W));
    COLLECTIVE(MPI_Gatherv(NULL, 0, MPI_BYTE, NULL, zeros, zeros, MPI_BYTE, 0, W));

    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Testall(0, NULL, &done, MPI_STATUSES_IGNORE);
    CHECK(done);
    MPI_Waitall(2, null, statuses);
    MPI_Testall(2, null, &done, MPI_STATUSES_IGNORE);
    CHECK(done);
    MPI_Waitany(2, null, &index, MPI_STATUS_IGNORE);
    CHECK(index == MPI_UNDEFINED);
    MPI_Waitsome(2, null, &done, &index, MPI_STATUSES_IGNORE);
    CHECK(done == MPI_UNDEFINED);
    MPI_Wait(&null[0], MPI_STATUS_IGNORE);

    MPI_Recv_init(NULL, 0, MPI_BYTE, left, TAG, W, &inactive[0]);
    MPI_Send_init(NULL, 0, MPI_BYTE, right, TAG, W, &inactive[1]);
    MPI_Testall(2, inactive, &done, statuses);
    CHECK(done);
    MPI_Wait(&inactive[0], &status);
    CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Request_free(&inactive[0]);
    MPI_Request_free(&inactive[1]);

    MPI_Isend(NULL, 0, MPI_INT, right, TAG, W, &null[0]);
    count_sent(right, 0);
    MPI_Recv(NULL, 0, MPI_INT, left, TAG, W, &status);
    count_status(&status);
    MPI_Wait(&null[0], MPI_STATUS_IGNORE);
}

/* Ends a receive that is too short; returns the error. */
static int end(MPI_Request *request, int how, MPI_Status *status)
{
    int done = 0, error = MPI_SUCCESS;
    switch (how) {
    case 0: return MPI_Wait(request, status);
    case 1:
        for (; !done && !error; usleep(100))
            error = MPI_Test(request, &done, status);
        return error;
    case 2: return MPI_Waitall(1, request, status);
    default: return MPI_Waitany(1, request, &done, status);
    }
}

/* A message that does not fit, then some that do: their requests may have its handle. */
static void truncated(MPI_Comm comm, int how)
{
    int out[4] = {rank, rank, rank, rank}, in[4];
    MPI_Request bad, sent[N + 1], good[N];
    MPI_Status status[N];
    MPI_Irecv(in, 1, MPI_INT, left, TRUNCATED, comm, &bad);
    MPI_Isend(out, 4, MPI_INT, right, TRUNCATED, comm, &sent[N]);
    count_sent(right, 4 * sizeof(int));
    CHECK(end(&bad, how, &status[0]) != MPI_SUCCESS);
    /* It has taken what fits; of a request that is left nothing is told. */
    if (how == 0 || how == 2 || bad == MPI_REQUEST_NULL)
        count_received(left, sizeof(int));
    if (bad != MPI_REQUEST_NULL)
        MPI_Request_free(&bad);
    for (int i = 0; i < N; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, i % 2 ? left : MPI_ANY_SOURCE, AFTER + i, comm, &good[i]);
    for (int i = 0; i < N; i++) {
        MPI_Isend(out, i % 2, MPI_INT, right, AFTER + i, comm, &sent[i]);
        count_sent(right, i % 2 * (long)sizeof(int));
    }
    MPI_Waitall(N, good, status);
    MPI_Waitall(N + 1, sent, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++) {
        CHECK(status[i].MPI_SOURCE == left && status[i].MPI_TAG == AFTER + i);
        count_status(&status[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm forgiving;
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    nothing_to_do();
    MPI_Comm_dup(W, &forgiving);
    MPI_Comm_set_errhandler(forgiving, MPI_ERRORS_RETURN);
    for (int how = 0; how < 4; how++)
        truncated(forgiving, how);
    MPI_Comm_free(&forgiving);
    print_counted();
    MPI_Finalize();
}
