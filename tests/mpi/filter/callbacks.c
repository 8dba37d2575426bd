/* Two ranks exchange messages in one channel each way, some of them in callbacks: of an attribute
 * that is deleted, and in an error handler. Each message is a byte longer than the one before, so
 * that who reads a trace sees whether the right two were put together. Prints `callbacks: right`,
 * once, by rank 0.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 3, LONGEST = 256 };

static int rank, other, sent, received;
static char out[LONGEST], in[LONGEST], early[LONGEST], late[LONGEST];
static MPI_Request posted = MPI_REQUEST_NULL, open = MPI_REQUEST_NULL;

static void is(const MPI_Status *status)
{
    int bytes;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    if (bytes != ++received) {
        printf("rank %d: %d bytes where %d were sent\n", rank, bytes, received);
        exit(1);
    }
}

static void send_one(void)
{
    MPI_Send(out, ++sent, MPI_BYTE, other, 0, MPI_COMM_WORLD);
}

static void receive_one(void)
{
    MPI_Status status;
    MPI_Recv(in, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    is(&status);
}

/* Rank 0 sends three messages, one of which ends later; rank 1 takes the one that was posted before, one
 * here, and posts one that it waits for later. */
static void exchange(void)
{
    MPI_Request request;
    MPI_Status status;
    if (rank == 0) {
        send_one();
        MPI_Isend(out, ++sent, MPI_BYTE, other, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Isend(out, ++sent, MPI_BYTE, other, 0, MPI_COMM_WORLD, &open);
    } else {
        MPI_Wait(&posted, &status);
        is(&status);
        receive_one();
        MPI_Irecv(late, LONGEST, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &open);
    }
}

static int delete_attribute(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)value, (void)state;
    exchange();
    return MPI_SUCCESS;
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    if (rank == 1)
        send_one();
    else
        receive_one();
}

static void one_round(int key, MPI_Comm side)
{
    static int value;
    MPI_Status status;
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    if (rank == 1)
        MPI_Irecv(early, LONGEST, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &posted);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Wait(&open, &status);
    if (rank == 0)
        send_one();
    else {
        is(&status);
        receive_one();
    }
    MPI_Comm_call_errhandler(side, MPI_ERR_OTHER);
    if (rank == 1)
        send_one();
    else
        receive_one();
}

int main(int argc, char **argv)
{
    int key;
    MPI_Comm side;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &side);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(side, handler);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute, &key, NULL);
    for (int round = 0; round < ROUNDS; round++)
        one_round(key, side);
    MPI_Comm_free_keyval(&key);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&side);
    if (rank == 0)
        printf("callbacks: right\n");
    MPI_Finalize();
    return 0;
}
