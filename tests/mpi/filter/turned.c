// What ends in another order than it began: messages of matched probes, and nonblocking collective
// operations. Each message has its own length. Before, as the argument says: `plain` nothing,
// `rejected` a call that MPI refuses, `paused` recording off and on again.
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { STEPS = 4, MOST = 64, TAG = 5 };

static int rank, is_right = 1;

static void rest(void) {
    struct timespec some = {0, 5000000};
    nanosleep(&some, NULL);
}

static void messages(int step) {
    int first = 10 + 2 * step, second = first + 1, values[MOST] = {step};
    if (rank == 0) {
        MPI_Send(values, first, MPI_INT, 1, TAG, MPI_COMM_WORLD);
        rest();
        MPI_Send(values, second, MPI_INT, 1, TAG, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Message found[2];
        MPI_Status statuses[2];
        int counts[2];
        for (int i = 0; i < 2; i++)
            MPI_Mprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &found[i], &statuses[i]);
        for (int i = 1; i >= 0; i--) {
            MPI_Mrecv(values, MOST, MPI_INT, &found[i], &statuses[i]);
            MPI_Get_count(&statuses[i], MPI_INT, &counts[i]);
        }
        is_right &= counts[0] == first && counts[1] == second && values[0] == step;
    }
}

static void collectives(int step) {
    int shared = rank == 0 ? step : -1, sum = 0;
    MPI_Request requests[2];
    if (rank == 0)
        rest();
    MPI_Ibcast(&shared, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    for (int i = 1; i >= 0; i--)
        MPI_Wait(&requests[rank == 0 ? 1 - i : i], MPI_STATUS_IGNORE);
    is_right &= shared == step && sum == 1;
}

int main(int argc, char **argv) {
    const char *before = argc > 1 ? argv[1] : "plain";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (strcmp(before, "rejected") == 0)
        is_right &= MPI_Send(&rank, 1, MPI_INT, 99, TAG, MPI_COMM_WORLD) != MPI_SUCCESS;
    if (strcmp(before, "paused") == 0) {
        MPI_Pcontrol(0);
        MPI_Pcontrol(1);
    }
    for (int step = 0; step < STEPS; step++) {
        messages(step);
        collectives(step);
    }
    MPI_Finalize();
    if (rank == 1)
        printf("turned: %s\n", is_right ? "right" : "wrong");
    return !is_right;
}
