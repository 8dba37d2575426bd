/* Calls that statistics count in the wrapper itself where nothing but them is wanted. Rank 0
 * receives what rank 1 sends. */
#include <mpi.h>

enum { MANY = 40 };
static double in[MANY * 8], out[MANY * 8];
static int rank, size;

static void together(int count) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(in, count, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, in, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(out, in, count, MPI_DOUBLE, MPI_MAX, 1, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : out, in, count, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

static void one_by_one(int count) {
    MPI_Request request;
    MPI_Status status;
    if (rank == 1) {
        MPI_Send(out, count, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        MPI_Ssend(out, count, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
        MPI_Isend(out, 8 * MANY, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
        MPI_Recv(in, 8 * MANY, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(in, 8 * MANY, MPI_DOUBLE, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Irecv(in, 8 * MANY, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Send(out, count, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Recv(in, count, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
}

/* Sends of more than the eager bytes and of none, more requests than a thread keeps at hand. */
static void many(int count) {
    MPI_Request requests[2 * MANY];
    int made = 0;
    for (int k = 0; k < MANY; k++) {
        MPI_Irecv(in + 8 * k, 8, MPI_DOUBLE, (rank + 1) % size, k, MPI_COMM_WORLD, &requests[made++]);
        MPI_Isend(out, k % 3 == 0 ? 0 : count, MPI_DOUBLE, (rank + size - 1) % size, k,
                  MPI_COMM_WORLD, &requests[made++]);
        if (k % 5 == 4) {
            MPI_Waitall(made, requests, MPI_STATUSES_IGNORE);
            made = 0;
        }
    }
    for (int k = 0; k < MANY; k++) {
        MPI_Irecv(in + k, 1, MPI_DOUBLE, rank, k, MPI_COMM_WORLD, &requests[made++]);
        MPI_Isend(out + k, 1, MPI_DOUBLE, rank, k, MPI_COMM_WORLD, &requests[made++]);
    }
    MPI_Waitall(made, requests, MPI_STATUSES_IGNORE);
}

/* A receive that is too short has taken its message, and a call that fails counts as one. */
static void wrong(void) {
    MPI_Status status;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Bcast(in, 1, MPI_DOUBLE, size, MPI_COMM_WORLD);
    for (int k = 0; k < 3; k++) {
        if (rank == 1)
            MPI_Send(out, 3, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(in, k == 1 ? 1 : 3, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD, &status);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int count = 0; count < 8; count++) {
        together(count);
        one_by_one(count);
        many(count);
    }
    wrong();
    MPI_Finalize();
    return 0;
}
