/* Two ranks exchange messages in one channel each way, by functions that change from message to
 * message. Each message is a byte longer than the one before, so that who reads a trace sees
 * whether the right two were put together. Prints `mixed: right`.
 */
#include "../mixed.h"

enum { BATCHES = 6 };

static int polls;

static void send_batch(int batch, int other)
{
    MPI_Request late = MPI_REQUEST_NULL;
    for (int k = 0; k < SIZE; k++)
        send_one(k, batch, batch * SIZE + k + 1, other, &late);
    MPI_Wait(&late, MPI_STATUS_IGNORE);
}

static void receive_batch(int batch, int other)
{
    const int first = batch * SIZE + 1;
    MPI_Request early[2];
    MPI_Status statuses[2];
    MPI_Message message;
    int found = 0;
    switch (batch % 3) {
    case 0:
        for (int k = 0; k < SIZE; k++)
            receive(k, first + k, other);
        break;
    case 1: /* Two are outstanding while a third is received. */
        post(0, other, &early[0]);
        post(1, other, &early[1]);
        receive(2, first + 2, other);
        MPI_Waitall(2, early, statuses);
        is(&statuses[0], first);
        is(&statuses[1], first + 1);
        while (!found) {
            MPI_Iprobe(other, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &statuses[0]);
            polls++;
        }
        for (int k = 3; k < SIZE; k++)
            receive(k, first + k, other);
        break;
    case 2: /* One is outstanding while another is probed; two complete in the other order. */
        post(0, other, &early[0]);
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &statuses[0]);
        post(2, other, &early[1]);
        MPI_Mrecv(incoming[1], LONGEST, MPI_BYTE, &message, &statuses[0]);
        is(&statuses[0], first + 1);
        complete(&early[1], first + 2);
        complete(&early[0], first);
        for (int k = 3; k < SIZE; k++)
            receive(k, first + k, other);
        break;
    }
}

int main(int argc, char **argv)
{
    int rank, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int turn = 0; turn < 2 * BATCHES; turn++) {
        if (turn % 2 == rank)
            send_batch(turn / 2, 1 - rank);
        else
            receive_batch(turn / 2, 1 - rank);
        if (turn % 3 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bcast(&turn, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all == 0 && polls >= 0 ? "mixed: right" : "mixed: WRONG");
    MPI_Finalize();
    return 0;
}
