/* Counts the primes below a limit with a master and workers. Chunks of numbers cost
 * more the higher they are, so the master gives the next chunk to whoever answers
 * first: it receives from MPI_ANY_SOURCE, and the order differs from run to run.
 *
 *     workers [limit = 6000000] [chunks = 200]
 *
 * With COUNT=1 in the environment rank 0 tells at the end what the program itself
 * counted of its communication: our tests compare the trace with that. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORK = 1, RESULT = 2, STOP = 3 };
enum { MESSAGES, BYTES, COLLECTIVES, COUNTS };
static long counted[COUNTS], sum[COUNTS];

static void send(const long *data, int n, int to, int tag)
{
    MPI_Send(data, n, MPI_LONG, to, tag, MPI_COMM_WORLD);
    counted[MESSAGES]++;
    counted[BYTES] += n * (long)sizeof(long);
}

static long count_primes(long from, long to)
{
    long primes = 0;
    for (long n = from < 2 ? 2 : from; n < to; n++) {
        int prime = n == 2 || n % 2;
        for (long d = 3; prime && d * d <= n; d += 2)
            prime = n % d != 0;
        primes += prime;
    }
    return primes;
}

static void work(void)
{
    long chunk[2], primes = 0;
    MPI_Status status;
    for (send(&primes, 1, 0, RESULT);; send(&primes, 1, 0, RESULT)) { /* the first asks for work */
        MPI_Recv(chunk, 2, MPI_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            return;
        primes = count_primes(chunk[0], chunk[1]);
    }
}

static long manage(int workers, long limit, long chunks)
{
    long total = 0, primes;
    MPI_Status status;
    for (long next = 0, busy = workers; busy > 0;) {
        MPI_Recv(&primes, 1, MPI_LONG, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        total += primes;
        if (next < chunks) {
            long chunk[2] = {limit * next / chunks, limit * (next + 1) / chunks};
            send(chunk, 2, status.MPI_SOURCE, WORK);
            next++;
        } else {
            send(NULL, 0, status.MPI_SOURCE, STOP);
            busy--;
        }
    }
    return total;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long limit = argc > 1 ? atol(argv[1]) : 6000000;
    long chunks = argc > 2 ? atol(argv[2]) : 200;

    if (rank > 0)
        work();
    else
        printf("%ld primes below %ld\n", size > 1 ? manage(size - 1, limit, chunks) : count_primes(0, limit), limit);

    if (getenv("COUNT")) {
        counted[COLLECTIVES]++; /* this one */
        MPI_Reduce(counted, sum, COUNTS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("counted messages=%ld bytes=%ld collectives=%ld\n", sum[MESSAGES], sum[BYTES], sum[COLLECTIVES]);
    }
    MPI_Finalize();
}
