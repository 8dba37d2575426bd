/* Messages of unknown length: looked at with each form of probe, then received. */
#include "count.h"

enum { N = 8, FORMS = 4 };
static int data[N * FORMS];

static int length(MPI_Status *status)
{
    int n;
    MPI_Get_count(status, MPI_INT, &n);
    CHECK(status->MPI_SOURCE == left && n == N + status->MPI_TAG);
    return n;
}

static void receive(MPI_Status *probed)
{
    MPI_Status status;
    MPI_Recv(data, length(probed), MPI_INT, probed->MPI_SOURCE, probed->MPI_TAG, MPI_COMM_WORLD, &status);
    count_status(&status);
}

static void take(int form)
{
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int there = 0;
    switch (form) {
    case 0:
        MPI_Probe(left, form, MPI_COMM_WORLD, &status);
        receive(&status);
        break;
    case 1:
        while (!there)
            MPI_Iprobe(MPI_ANY_SOURCE, form, MPI_COMM_WORLD, &there, &status);
        receive(&status);
        break;
    case 2:
        MPI_Mprobe(MPI_ANY_SOURCE, form, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(data, length(&status), MPI_INT, &message, &status);
        count_status(&status);
        break;
    case 3:
        while (!there)
            MPI_Improbe(left, form, MPI_COMM_WORLD, &there, &message, &status);
        MPI_Imrecv(data, length(&status), MPI_INT, &message, &request);
        MPI_Wait(&request, &status);
        count_status(&status);
        break;
    }
    for (int i = 0; i < N + form; i++)
        CHECK(data[i] == left + form);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    for (int form = 0; form < FORMS; form++) {
        int out[N + FORMS], n = N + form;
        MPI_Request request;
        for (int i = 0; i < n; i++)
            out[i] = rank + form;
        MPI_Isend(out, n, MPI_INT, right, form, MPI_COMM_WORLD, &request);
        count_sent(right, n * (long)sizeof(int));
        take(form);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    print_counted();
    MPI_Finalize();
}
