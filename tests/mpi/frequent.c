/* The calls that programs make often, plainly and with all that is odd about them: handles that
 * sends share, more requests than fit, requests and ranks that are none, statuses that nobody
 * wants, receives that are cancelled or freed, datatypes and communicators made by the program. */
#include <mpi.h>
#include <stdio.h>

enum { MANY = 40, TAG = 7 };

static void pairs(MPI_Comm comm, int rank, int size)
{
    int out[MANY], in[MANY], right, left;
    MPI_Request requests[2 * MANY];
    MPI_Status statuses[2 * MANY];
    for (int i = 0; i < MANY; i++)
        out[i] = 100 * rank + i;
    for (int number = 1; number <= MANY; number += 13) {
        /* Which of many sends to others are done at once, and so share a handle, is chance. */
        right = number == 1 ? (rank + 1) % size : rank;
        left = number == 1 ? (rank + size - 1) % size : rank;
        for (int i = 0; i < number; i++)
            MPI_Irecv(&in[i], 1, MPI_INT, left, TAG + i, comm, &requests[i]);
        for (int i = 0; i < number; i++)
            MPI_Isend(&out[i], 1, MPI_INT, right, TAG + i, comm, &requests[number + i]);
        if (number % 2)
            MPI_Waitall(2 * number, requests, number > 20 ? MPI_STATUSES_IGNORE : statuses);
        else
            for (int i = 2 * number - 1; i >= 0; i--)
                MPI_Wait(&requests[i], i % 3 ? MPI_STATUS_IGNORE : &statuses[0]);
        MPI_Waitall(2 * number, requests, MPI_STATUSES_IGNORE); /* all are null by now */
    }
}

static void to_self(MPI_Comm comm, int rank)
{
    double out[3] = {1, 2, 3}, in[3];
    MPI_Request requests[4];
    MPI_Status status;
    MPI_Irecv(in, 3, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
    MPI_Isend(out, 2, MPI_DOUBLE, rank, TAG, comm, &requests[1]);
    requests[2] = MPI_REQUEST_NULL;
    MPI_Irecv(in, 3, MPI_DOUBLE, MPI_PROC_NULL, TAG, comm, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Isend(out, 2, MPI_DOUBLE, MPI_PROC_NULL, TAG, comm, &requests[0]);
    MPI_Isend(out, 2, MPI_DOUBLE, rank, TAG, comm, &requests[1]);
    MPI_Recv(in, 3, MPI_DOUBLE, rank, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], &status);
    MPI_Wait(&requests[0], &status);
    MPI_Wait(&requests[0], &status);
    MPI_Irecv(in, 3, MPI_DOUBLE, rank, TAG + 1, comm, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Isend(NULL, 0, MPI_DOUBLE, rank, TAG, comm, &requests[0]);
    MPI_Request_free(&requests[0]);
    MPI_Recv(in, 0, MPI_DOUBLE, rank, TAG, comm, &status);
    MPI_Recv(in, 0, MPI_DOUBLE, MPI_PROC_NULL, TAG, comm, &status);
    MPI_Send(out, 1, MPI_DOUBLE, MPI_PROC_NULL, TAG, comm);
}

static void of_all(MPI_Comm comm, int rank, int size)
{
    long data[4] = {rank, 1, 2, 3}, sums[4];
    MPI_Barrier(comm);
    MPI_Bcast(data, 4, MPI_LONG, size - 1, comm);
    MPI_Bcast(data, 0, MPI_LONG, 0, comm);
    MPI_Reduce(data, sums, 4, MPI_LONG, MPI_SUM, 0, comm);
    if (rank == 0)
        MPI_Reduce(MPI_IN_PLACE, data, 2, MPI_LONG, MPI_SUM, 0, comm);
    else
        MPI_Reduce(data, NULL, 2, MPI_LONG, MPI_SUM, 0, comm);
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(data, sums, 3, MPI_LONG, MPI_MAX, comm);
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_LONG, MPI_MAX, comm);
}

static void of_types(MPI_Comm comm, int rank, int size)
{
    int out[6] = {0}, in[6], right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < 3; i++) {
        MPI_Datatype type;
        MPI_Request request;
        MPI_Type_vector(2, 1, i + 1, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Irecv(in, 1, type, left, TAG, comm, &request);
        MPI_Send(out, 1, type, right, TAG, comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Bcast(out, 1, type, 0, comm);
        MPI_Type_free(&type);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        pairs(i % 2 ? comm : MPI_COMM_WORLD, rank, size);
        to_self(comm, rank);
        of_all(i % 2 ? MPI_COMM_WORLD : comm, rank, size);
        of_types(comm, rank, size);
        MPI_Comm_free(&comm);
    }
    MPI_Finalize();
}
