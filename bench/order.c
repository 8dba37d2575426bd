/* What does one operation take whose messages are there already? Rank 1 sends, rank 0 receives.
 *
 *     order [batch = 100] [batches = 3000]
 *
 * Rank 1 sends a batch of small messages; once all have arrived, rank 0 takes them by one kind
 * of receive, timed. Prints `KIND ns` for each kind, medians over batches. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KINDS = 5 };
static const char *const names[KINDS] = {"wildcard_recv", "named_recv", "irecv_wait", "iprobe_recv", "send"};
static int batch = 100, batches = 3000;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void take(int kind)
{
    int data, there = 0;
    MPI_Status status;
    MPI_Request request;
    switch (kind) {
    case 0:
        MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        break;
    case 1:
        MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);
        break;
    case 2:
        MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
        break;
    case 3:
        while (!there)
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
        MPI_Recv(&data, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
        break;
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int rank, token = 0;
    double *times;
    if (argc > 1)
        batch = atoi(argv[1]);
    if (argc > 2)
        batches = atoi(argv[2]);
    times = malloc((size_t)batches * sizeof *times);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int b = 0; b < batches; b++) {
            int data = b;
            double start = now();
            if (rank == 1)
                for (int i = 0; i < batch; i++)
                    MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            double sent = now() - start;
            if (rank == 1)
                MPI_Send(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            else
                MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            start = now();
            if (rank == 0)
                for (int i = 0; i < batch; i++)
                    take(kind == 4 ? 1 : kind);
            times[b] = ((kind == 4 ? sent : now() - start)) / batch;
            if (rank == 0)
                MPI_Send(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
            else
                MPI_Recv(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        qsort(times, (size_t)batches, sizeof *times, ascending);
        if (rank == (kind == 4))
            printf("%s %.2f\n", names[kind], times[batches / 2]);
    }
    fflush(stdout);
    free(times);
    MPI_Finalize();
}
