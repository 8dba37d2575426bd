/* How long does an MPI call take? One rank sends small messages to itself, or to nobody.
 *
 *     selfloop self|null [iterations = 100000]
 *
 * `self` is Irecv, Isend and Waitall, three calls an iteration and one message;
 * `null` is Send to MPI_PROC_NULL, the cheapest call there is. Prints ns per MPI call. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void to_self(long iterations)
{
    int out = 1, in;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (long i = 0; i < iterations; i++) {
        MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, statuses);
    }
}

static void to_nobody(long iterations)
{
    int out = 1;
    for (long i = 0; i < iterations; i++)
        MPI_Send(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int self = argc < 2 || strcmp(argv[1], "null") != 0;
    long iterations = argc > 2 ? atol(argv[2]) : 100000;
    void (*loop)(long) = self ? to_self : to_nobody;
    MPI_Init(&argc, &argv);
    loop(iterations / 10); /* warm caches, connections, pages */
    double start = now();
    loop(iterations);
    printf("ns_per_call %.2f\n", (now() - start) / ((self ? 3.0 : 1.0) * (double)iterations));
    MPI_Finalize();
}
