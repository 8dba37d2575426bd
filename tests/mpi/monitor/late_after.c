/* Rank 0 sends 60 ms late what rank 1 receives, after what makes counting hard, as the argument says:
 * polls for as long; sends that MPI rejects; a receive that is freed, or too short, or cancelled; a
 * Waitsome that fails for one of its requests; recording that is off meanwhile; an operation that one
 * rank alone is refused; receives that are waited for in another order than they were posted. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static int rank, data[64];

static void sleep_ms(long ms) {
    struct timespec time = {0, ms * 1000000};
    nanosleep(&time, NULL);
}

static void before(int what) {
    MPI_Request request;
    MPI_Status status;
    int flag = 0, index;
    switch (what) {
    case 1:
        for (int k = 0; rank == 0 && k < 5; k++)
            MPI_Send(data, -1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        if (rank == 0 && MPI_Isend(data, -1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request) == MPI_SUCCESS)
            exit(1);
        break;
    case 2:
        if (rank == 1) {
            MPI_Irecv(data, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
            MPI_Request_free(&request);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Send(data, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        break;
    case 3:
        if (rank == 0)
            MPI_Send(data, 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
        else
            MPI_Recv(data, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
        break;
    case 4:
        if (rank == 0) {
            MPI_Send(data, 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
        } else {
            MPI_Irecv(data, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
            MPI_Waitsome(1, &request, &flag, &index, &status);
        }
        break;
    case 5:
        MPI_Pcontrol(rank == 0);
        if (rank == 0)
            MPI_Send(data, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        else
            MPI_Recv(data, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
        MPI_Pcontrol(1);
        break;
    case 6:
        if (rank == 1) {
            MPI_Irecv(data, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
            MPI_Cancel(&request);
            MPI_Wait(&request, &status);
        }
        break;
    case 7:
        if (rank == 1)
            MPI_Bcast(data, -1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(data, 1, MPI_INT, 0, MPI_COMM_WORLD);
        break;
    case 8:
        for (int k = 0; rank == 0 && k < 3; k++) {
            MPI_Send(data, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
            sleep_ms(k < 2 ? 60 : 0);
        }
        if (rank == 1) {
            MPI_Request both[2];
            MPI_Irecv(data, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &both[0]);
            MPI_Irecv(data + 1, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &both[1]);
            MPI_Wait(&both[1], MPI_STATUS_IGNORE); // SECOND
            MPI_Recv(data + 2, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // THIRD
            MPI_Wait(&both[0], MPI_STATUS_IGNORE);
        }
        break;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Asks a hundred thousand times and more whether a message is there. */
static void poll(void) {
    int flag = 0;
    if (rank == 0) {
        sleep_ms(60);
        MPI_Send(data, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    } else {
        while (!flag)
            MPI_Iprobe(0, 8, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(data, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    before(argc > 1 ? atoi(argv[1]) : 0);
    if (argc > 1 && atoi(argv[1]) == 0)
        poll();
    for (int k = 0; k < 3; k++) {
        if (rank == 0) {
            sleep_ms(60);
            MPI_Send(data, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        } else {
            MPI_Recv(data, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // LATE
        }
    }
    MPI_Finalize();
    return 0;
}
