/* What the test programs share: they check their own results, and count what they do,
 * so that a test can compare the trace with it. README.md says what is counted. */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES, BYTES, RECEIVED, RECEIVED_BYTES, COLLECTIVES, COUNTS };
static atomic_long counted[COUNTS]; /* atomic for threads.c */
static int rank, size, left, right; /* the world as a ring */

/* A wrong result ends all ranks with exit code 1. */
#define CHECK(what) ((what) ? (void)0 : wrong(__FILE__, __LINE__, #what))

static inline void wrong(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: rank %d: not so: %s\n", file, line, rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Counts a collective call and makes it. */
#define COLLECTIVE(call) ((void)counted[COLLECTIVES]++, (void)(call))

static inline void count_sent(int to, long bytes)
{
    if (to == MPI_PROC_NULL)
        return;
    counted[MESSAGES]++;
    counted[BYTES] += bytes;
}

/* For receives without a status, and PROC_NULL. */
static inline void count_received(int from, long bytes)
{
    if (from == MPI_PROC_NULL)
        return;
    counted[RECEIVED]++;
    counted[RECEIVED_BYTES] += bytes;
}

static inline void count_status(MPI_Status *status)
{
    int bytes;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    count_received(status->MPI_SOURCE, bytes);
}

static inline void look_around(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
}

/* With COUNT in the environment, prints on rank 0 the sums over all ranks. */
static inline void print_counted(void)
{
    long own[COUNTS], sum[COUNTS];
    if (!getenv("COUNT"))
        return;
    counted[COLLECTIVES]++; /* the reduction below */
    for (int i = 0; i < COUNTS; i++)
        own[i] = counted[i];
    MPI_Reduce(own, sum, COUNTS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("counted messages=%ld bytes=%ld received=%ld received_bytes=%ld collectives=%ld\n", sum[MESSAGES],
               sum[BYTES], sum[RECEIVED], sum[RECEIVED_BYTES], sum[COLLECTIVES]);
}
