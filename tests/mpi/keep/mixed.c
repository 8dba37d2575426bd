/* Two ranks exchange messages in one channel each way, by functions that change from message to
 * message, and call what leaves records in between: mixed TURNS CALLS0 CALLS1 [kill]. Each message
 * is a byte longer than the one before, up to 997, so that who reads a trace sees whether the right
 * two were put together. One receive is posted at first and gets its message at last. Prints
 * `mixed: right`, and ends in the end of the program or of the process.
 */
#include "../mixed.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 997, LAST = 9 };

static char last[LONGEST];
static int calls;

static int length(int batch, int k)
{
    return (batch * SIZE + k) % MOST + 1;
}

static void call(void)
{
    int rank;
    for (int k = 0; k < calls; k++)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static void send_batch(int batch, int other)
{
    static MPI_Request late = MPI_REQUEST_NULL; /* Of the batch before, at first. */
    for (int k = 0; k < SIZE; k++) {
        send_one(k, batch, length(batch, k), other, &late);
        call();
    }
    if (batch % 4 == 3)
        MPI_Wait(&late, MPI_STATUS_IGNORE);
}

static void receive_batch(int batch, int other)
{
    MPI_Request early[2];
    MPI_Status statuses[2];
    MPI_Message message;
    int found = 0;
    switch (batch % 3) {
    case 0:
        for (int k = 0; k < SIZE; k++)
            receive(k, length(batch, k), other);
        break;
    case 1: /* Two are outstanding while a third is received. */
        post(0, other, &early[0]);
        post(1, other, &early[1]);
        call();
        receive(2, length(batch, 2), other);
        MPI_Waitall(2, early, statuses);
        is(&statuses[0], length(batch, 0));
        is(&statuses[1], length(batch, 1));
        while (!found)
            MPI_Iprobe(other, 0, MPI_COMM_WORLD, &found, &statuses[0]);
        for (int k = 3; k < SIZE; k++)
            receive(k, length(batch, k), other);
        break;
    case 2: /* One is outstanding while another is probed; two complete in the other order. */
        post(0, other, &early[0]);
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &statuses[0]);
        post(2, other, &early[1]);
        call();
        MPI_Mrecv(incoming[1], LONGEST, MPI_BYTE, &message, &statuses[0]);
        is(&statuses[0], length(batch, 1));
        complete(&early[1], length(batch, 2));
        complete(&early[0], length(batch, 0));
        for (int k = 3; k < SIZE; k++)
            receive(k, length(batch, k), other);
        break;
    }
}

int main(int argc, char **argv)
{
    int rank, all;
    MPI_Request request, barrier = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int turns = atoi(argv[1]), other = 1 - rank;
    calls = atoi(argv[2 + rank]);
    MPI_Irecv(last, LONGEST, MPI_BYTE, other, LAST, MPI_COMM_WORLD, &request);
    for (int turn = 0; turn < turns; turn++) {
        if (turn % 2 == rank)
            send_batch(turn / 2, other);
        else
            receive_batch(turn / 2, other);
        if (turn % 3 == 0) {
            MPI_Wait(&barrier, MPI_STATUS_IGNORE);
            MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        }
        MPI_Bcast(&turn, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    MPI_Send(last, MOST + 1, MPI_BYTE, other, LAST, MPI_COMM_WORLD);
    complete(&request, MOST + 1);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        puts(all == 0 ? "mixed: right" : "mixed: WRONG");
        fflush(stdout);
    }
    if (argc > 4 && strcmp(argv[4], "kill") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        sleep(3); /* What runs each second has run. */
        raise(SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
