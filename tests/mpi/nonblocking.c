/* Isend and Irecv, completed by each Wait and Test form; small Isends (which share one
 * handle in both MPIs), a cancelled receive, and a send whose request is freed at once. */
#include "count.h"

enum { N = 4 };
static MPI_Status statuses[2 * N];

/* Completes n requests; statuses[i] belongs to requests[i], or returns 0: statuses ignored. */
typedef int complete(int n, MPI_Request *requests);

static int wait_each(int n, MPI_Request *r) { for (int i = n; i-- > 0;) MPI_Wait(&r[i], &statuses[i]); return 1; }
static int wait_ignore(int n, MPI_Request *r) { while (n-- > 0) MPI_Wait(&r[n], MPI_STATUS_IGNORE); return 0; }
static int waitall(int n, MPI_Request *r) { MPI_Waitall(n, r, statuses); return 1; }
static int waitall_ignore(int n, MPI_Request *r) { MPI_Waitall(n, r, MPI_STATUSES_IGNORE); return 0; }

static int waitany(int n, MPI_Request *r)
{
    MPI_Status status;
    for (int open = n, i; open > 0; open--, statuses[i] = status)
        MPI_Waitany(n, r, &i, &status);
    return 1;
}

static int test(int n, MPI_Request *r)
{
    for (int i = 0; i < n; i++)
        for (int done = 0; !done;)
            MPI_Test(&r[i], &done, &statuses[i]);
    return 1;
}

static int testall(int n, MPI_Request *r)
{
    for (int done = 0; !done;)
        MPI_Testall(n, r, &done, statuses);
    return 1;
}

static int testany(int n, MPI_Request *r)
{
    MPI_Status status;
    for (int open = n, i, done; open > 0;) {
        MPI_Testany(n, r, &i, &done, &status);
        if (done)
            statuses[i] = status, open--;
    }
    return 1;
}

static int some(int (*form)(int, MPI_Request *, int *, int *, MPI_Status *), int n, MPI_Request *r)
{
    int index[2 * N], done;
    MPI_Status found[2 * N];
    for (int open = n; open > 0; open -= done) {
        form(n, r, &done, index, found);
        for (int i = 0; i < done; i++)
            statuses[index[i]] = found[i];
    }
    return 1;
}
static int waitsome(int n, MPI_Request *r) { return some(MPI_Waitsome, n, r); }
static int testsome(int n, MPI_Request *r) { return some(MPI_Testsome, n, r); }

static void exchange(complete *how, int tag)
{
    int in[N], out[N];
    MPI_Request requests[2 * N + 1];
    for (int i = 0; i < N; i++) {
        out[i] = 100 * rank + i;
        MPI_Irecv(&in[i], 1, MPI_INT, left, tag + i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < N; i++) {
        MPI_Isend(&out[i], 1, MPI_INT, right, tag + i, MPI_COMM_WORLD, &requests[N + i]);
        count_sent(right, sizeof(int));
    }
    int known = how(2 * N, requests);
    for (int i = 0; i < N; i++) {
        CHECK(in[i] == 100 * left + i && requests[i] == MPI_REQUEST_NULL);
        CHECK(!known || (statuses[i].MPI_SOURCE == left && statuses[i].MPI_TAG == tag + i));
        count_received(left, sizeof(int));
    }
}

static void cancel_and_free(void)
{
    int never, cancelled, got, out = rank;
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Irecv(&never, 1, MPI_INT, left, 9999, MPI_COMM_WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK(cancelled);

    MPI_Isend(&out, 1, MPI_INT, right, 77, MPI_COMM_WORLD, &requests[0]);
    MPI_Request_free(&requests[0]);
    count_sent(right, sizeof out);
    MPI_Recv(&got, 1, MPI_INT, left, 77, MPI_COMM_WORLD, &status);
    count_status(&status);
    CHECK(got == left);

    MPI_Irecv(&never, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    complete *const forms[] = {wait_each, wait_ignore, waitall, waitall_ignore, waitany,
                               waitsome, test, testall, testany, testsome};
    MPI_Init(&argc, &argv);
    look_around();
    for (int i = 0; i < 10; i++)
        exchange(forms[i], 10 * i);
    cancel_and_free();
    print_counted();
    MPI_Finalize();
}
