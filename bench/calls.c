/* How long does an MPI call take?
 *
 *     calls rank|null|self|allreduce|pingpong|test|iprobe|turns [iterations = 20000]
 *
 * `rank` is MPI_Comm_rank, `null` Send to MPI_PROC_NULL, `self` Irecv, Isend and Waitall with
 * oneself (three calls an iteration), `allreduce` that of one int, `pingpong` Send and Recv
 * between two ranks; `test` and `iprobe` MPI_Test and MPI_Iprobe that find nothing, `turns` both in
 * turn. Twenty batches; prints the tenth part, the median and the mean of their ns per call. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 20 };
static int rank, out = 1, in;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void ask(long n)
{
    for (long i = 0; i < n; i++)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static void to_nobody(long n)
{
    for (long i = 0; i < n; i++)
        MPI_Send(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void to_self(long n)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (long i = 0; i < n; i++) {
        MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, statuses);
    }
}

static void allreduce(long n)
{
    for (long i = 0; i < n; i++)
        MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void pingpong(long n)
{
    for (long i = 0; i < n; i++) {
        if (rank == 0)
            MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

static void poll(long n, int tests, int probes)
{
    MPI_Request request;
    int flag;
    MPI_Irecv(&in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &request);
    for (long i = 0; i < n; i++) {
        if (tests)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (probes)
            MPI_Iprobe(rank, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Send(&out, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void test(long n)
{
    poll(n, 1, 0);
}

static void iprobe(long n)
{
    poll(n, 0, 1);
}

static void turns(long n)
{
    poll(n, 1, 1);
}

static const struct {
    const char *name;
    void (*loop)(long);
    int calls;
} LOOPS[] = {{"rank", ask, 1}, {"null", to_nobody, 1}, {"self", to_self, 3}, {"allreduce", allreduce, 1}, {"pingpong", pingpong, 2}, {"test", test, 1}, {"iprobe", iprobe, 1}, {"turns", turns, 2}};

static int ascending(const void *a, const void *b)
{
    double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

int main(int argc, char **argv)
{
    long iterations = argc > 2 ? atol(argv[2]) : 20000;
    double times[BATCHES], sum = 0;
    size_t which = 0;
    while (argc < 2 || strcmp(LOOPS[which].name, argv[1]))
        if (argc < 2 || ++which == sizeof LOOPS / sizeof *LOOPS)
            return fprintf(stderr, "calls: no such loop\n"), 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    LOOPS[which].loop(iterations / BATCHES); /* warm caches, connections, pages */
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = now();
        LOOPS[which].loop(iterations / BATCHES);
        times[batch] = (now() - start) / ((double)LOOPS[which].calls * (double)(iterations / BATCHES));
        sum += times[batch];
    }
    qsort(times, BATCHES, sizeof *times, ascending);
    if (rank == 0)
        printf("p10 %.2f median %.2f mean %.2f\n", times[BATCHES / 10], times[BATCHES / 2], sum / BATCHES);
    MPI_Finalize();
}
