/* What `filter/mixed.c` and `keep/mixed.c` share: messages of one channel, each by a function of its
 * own, and whether each receive got the right one, which its length tells.
 */
#include <mpi.h>
#include <stdio.h>

enum { SIZE = 6, LONGEST = 1024 };

static char outgoing[SIZE][LONGEST], incoming[SIZE][LONGEST];
static int wrong;

/* Sends the k-th of a batch by one of five functions; one request may stay active, `late`. */
static void send_one(int k, int batch, int bytes, int other, MPI_Request *late)
{
    char *data = outgoing[k];
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    switch ((k + batch) % 5) {
    case 0:
        MPI_Send(data, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Isend(data, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, &request);
        break;
    case 2:
        MPI_Wait(late, MPI_STATUS_IGNORE);
        MPI_Isend(data, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, late);
        break;
    case 3:
        MPI_Sendrecv(data, bytes, MPI_BYTE, other, 0, NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 4:
        MPI_Send_init(data, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        break;
    }
    while (request != MPI_REQUEST_NULL && !done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static void is(const MPI_Status *status, int bytes)
{
    int count;
    MPI_Get_count(status, MPI_BYTE, &count);
    wrong += count != bytes;
}

static void receive(int k, int bytes, int other)
{
    MPI_Status status;
    MPI_Recv(incoming[k], LONGEST, MPI_BYTE, other, 0, MPI_COMM_WORLD, &status);
    is(&status, bytes);
}

static void post(int k, int other, MPI_Request *request)
{
    MPI_Irecv(incoming[k], LONGEST, MPI_BYTE, other, 0, MPI_COMM_WORLD, request);
}

static void complete(MPI_Request *request, int bytes)
{
    MPI_Status status;
    MPI_Wait(request, &status);
    is(&status, bytes);
}
