/* C: see README.md. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me, other;

static void dawdle(int late)
{
    double end = MPI_Wtime() + 0.03;
    while (me == late && MPI_Wtime() < end)
        ;
}

static int blocking(void)
{
    int out[3] = {11, 22, 33}, in[5] = {0}, got = 0;
    MPI_Status status;
    if (me == 0) {
        MPI_Send(out, 3, MPI_INT, other, 7, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, other, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return got;
    }
    MPI_Recv(in, 5, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &got);
    MPI_Send(&got, 1, MPI_INT, other, 8, MPI_COMM_WORLD);
    return in[0] + in[1] + in[2] + 10 * got + 100 * status.MPI_TAG + 1000 * status.MPI_SOURCE;
}

static int request_array(void)
{
    int out[3] = {me + 1, me + 2, me + 3}, in[3];
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Irecv(in, 2, MPI_INT, other, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in + 2, 1, MPI_INT, other, 21, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, 2, MPI_INT, other, 20, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out + 2, 1, MPI_INT, other, 21, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, statuses);
    return in[0] + in[1] + in[2] + 100 * statuses[0].MPI_TAG + 10 * (statuses[0].MPI_SOURCE + statuses[1].MPI_SOURCE);
}

static int single_waits(void)
{
    int out = 5 + me, in;
    MPI_Request receive, send;
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, &receive);
    MPI_Isend(&out, 1, MPI_INT, other, 30, MPI_COMM_WORLD, &send);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    return in;
}

static int persistent(void)
{
    int out, in, sum = 0;
    MPI_Request requests[2];
    MPI_Recv_init(&in, 1, MPI_INT, other, 40, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&out, 1, MPI_INT, other, 40, MPI_COMM_WORLD, &requests[1]);
    for (int k = 1; k <= 3; k++) {
        out = 100 * k + me;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        sum += k * in;
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return sum;
}

static int collective(void)
{
    int sum[2] = {me + 1, 10 * (me + 1)}, told = me == 1 ? 77 : 0;
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&told, 1, MPI_INT, 1, MPI_COMM_WORLD);
    return sum[0] + sum[1] + told;
}

static int turned_round(void)
{
    MPI_Comm turned;
    int rank, out = 9 * (me + 1), in;
    MPI_Comm_split(MPI_COMM_WORLD, 0, other, &turned);
    MPI_Comm_rank(turned, &rank);
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 60, &in, 1, MPI_INT, 1 - rank, 60, turned, MPI_STATUS_IGNORE);
    MPI_Comm_free(&turned);
    return in + 50 * rank;
}

/* Returns what was received; whom from, in `order`. */
static int race(int late, char *order)
{
    int out[4], in, sum = 0;
    MPI_Request requests[4];
    MPI_Status status;
    dawdle(late);
    for (int k = 0; k < 4; k++) {
        out[k] = 10 * me + k;
        if (me == 1)
            MPI_Send(&out[k], 1, MPI_INT, 0, 50, MPI_COMM_WORLD);
        else
            MPI_Isend(&out[k], 1, MPI_INT, 0, 50, MPI_COMM_WORLD, &requests[k]);
    }
    for (int k = 0; me == 0 && k < 8; k++) {
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &status);
        order[k] = '0' + status.MPI_SOURCE;
        sum += in;
    }
    if (me == 0)
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    return sum;
}

int main(int argc, char **argv)
{
    char order[9] = "";
    const char *word = getenv("LATE");
    int result, sum = 0, late = word ? atoi(word) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = 1 - me;
    result = blocking() + request_array() + single_waits() + persistent() + collective() + turned_round();
    result += race(late, order);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(&result, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("result %d\norder %s\n", sum, order);
    MPI_Finalize();
    return 0;
}
