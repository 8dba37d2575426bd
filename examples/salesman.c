/* The shortest tour through all cities, by branch and bound with a master and workers
 * (as in Clémençon et al. 1995). A task is the beginning of a tour, for whoever asks next.
 * Everybody looks for messages with MPI_Iprobe, workers while they search, too, lest they
 * go on where somebody else has found a shorter tour. Who searches what, and how far,
 * differs from run to run; the result does not.
 *
 *     salesman [cities = 18] [seed = 1] [nodes between probes = 1000]
 *
 * One rank searches alone. Figures go to standard error. COUNT=1: see heat.c. SEEN=1:
 * a hash of all that MPI told, equal if it made the same choices (README.md). */
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 30, ASK = 1, TASK, LENGTH, STOP };
enum { MESSAGES, BYTES, COLLECTIVES, NODES, PROBES, FOUND, COUNTS };
static long counted[COUNTS], sum[COUNTS], pace;
static int rank, size, n, best = INT_MAX; /* the shortest tour that is known here */
static int way[MOST][MOST], near[MOST][MOST], one[MOST], two[MOST];
static uint64_t seen = 14695981039346656037u; /* FNV-1a, a word at a time */

static void see(int value) { seen = (seen ^ (uint32_t)value) * 1099511628211u; }

static void send(int number, int to, int tag)
{
    MPI_Send(&number, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
    counted[MESSAGES]++;
    counted[BYTES] += (long)sizeof number;
}

static int is_there(int source, MPI_Status *status)
{
    int flag;
    MPI_Iprobe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, status);
    counted[PROBES]++, counted[FOUND] += flag;
    see(flag);
    return flag;
}

static int receive(MPI_Status *status)
{
    int number;
    MPI_Recv(&number, 1, MPI_INT, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, status);
    see(status->MPI_SOURCE), see(status->MPI_TAG), see(number);
    return number;
}

/* Random places in a square; for every city the others, nearest first. The two ends of a
 * path are left by one way each, and a city without any by two: at least `one`, `two`. */
static void lay_out(unsigned long seed)
{
    double place[MOST][2];
    for (int i = 0; i < 2 * n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        place[i / 2][i % 2] = (double)(seed >> 40);
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0, at, to = 0; to < n; to++) {
            way[i][to] = (int)(hypot(place[i][0] - place[to][0], place[i][1] - place[to][1]) / 1000);
            if (to == i)
                continue;
            for (at = k++; at > 0 && way[i][near[i][at - 1]] > way[i][to]; at--)
                near[i][at] = near[i][at - 1];
            near[i][at] = to;
        }
        one[i] = way[i][near[i][0]], two[i] = one[i] + way[i][near[i][1]];
    }
}

/* Tries all that may follow `cities` cities of a tour; `rest` is the sum of `two` of the others. */
static void search(int last, int cities, unsigned visited, int length, int rest)
{
    MPI_Status status;
    if (++counted[NODES] % pace == 0 && size > 1 && is_there(0, &status)) {
        int shorter = receive(&status); /* who has a task is told of nothing but lengths */
        best = shorter < best ? shorter : best;
    }
    if (cities == n && length + way[last][0] < best) {
        best = length + way[last][0];
        if (rank > 0)
            send(best, 0, LENGTH);
    }
    for (int i = 0; i < n - 1; i++) {
        int next = near[last][i], further = length + way[last][next], left = rest - two[next];
        if (!(visited >> next & 1) && further + (left + one[next] + one[0] + 1) / 2 < best)
            search(next, cities + 1, visited | 1u << next, further, left);
    }
}

/* A task is the second and the third city, counted from the nearest to the city before. */
static void begin(int task)
{
    int second = near[0][task / (n - 1)], third = near[second][task % (n - 1)], rest = 0;
    for (int i = 0; i < n; i++)
        rest += two[i];
    if (third != 0)
        search(third, 3, 1u | 1u << second | 1u << third, way[0][second] + way[second][third],
               rest - two[0] - two[second] - two[third]);
}

static void work(void)
{
    MPI_Status status;
    for (send(0, 0, ASK);;) {
        while (!is_there(0, &status))
            sched_yield();
        int number = receive(&status);
        if (status.MPI_TAG == STOP)
            return;
        if (status.MPI_TAG == LENGTH) {
            best = number < best ? number : best;
            continue;
        }
        begin(number);
        send(0, 0, ASK);
    }
}

static void manage(int tasks)
{
    MPI_Status status;
    char *stopped = calloc((size_t)size, 1);
    for (int next = 0, busy = size - 1; busy > 0;) {
        while (!is_there(MPI_ANY_SOURCE, &status))
            sched_yield(); /* somebody else may need this core */
        int length = receive(&status), from = status.MPI_SOURCE;
        if (status.MPI_TAG == ASK && next < tasks) {
            send(next++, from, TASK);
        } else if (status.MPI_TAG == ASK) {
            send(0, from, STOP);
            stopped[from] = 1, busy--;
        } else if (length < best) {
            best = length;
            for (int to = 1; to < size; to++)
                if (to != from && !stopped[to])
                    send(best, to, LENGTH);
        }
    }
    free(stopped);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 18;
    n = n < 4 ? 4 : n > MOST ? MOST : n;
    lay_out(argc > 2 ? strtoul(argv[2], NULL, 10) : 1);
    pace = argc > 3 && atol(argv[3]) > 0 ? atol(argv[3]) : 1000;

    double start = MPI_Wtime();
    for (int task = 0; size == 1 && task < (n - 1) * (n - 1); task++)
        begin(task);
    if (size > 1 && rank > 0)
        work();
    else if (size > 1)
        manage((n - 1) * (n - 1));
    double seconds = MPI_Wtime() - start;

    counted[COLLECTIVES]++; /* this one */
    MPI_Reduce(counted, sum, COUNTS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("the shortest tour of %d cities is %d long\n", n, best);
        fprintf(stderr, "seconds %.4f\nnodes %ld\nprobes %ld, true %.4f %%\n", seconds, sum[NODES], sum[PROBES],
                sum[PROBES] ? 100.0 * (double)sum[FOUND] / (double)sum[PROBES] : 0);
    }
    if (rank == 0 && getenv("COUNT"))
        printf("counted messages=%ld bytes=%ld collectives=%ld\n", sum[MESSAGES], sum[BYTES], sum[COLLECTIVES]);
    if (getenv("SEEN")) {
        uint64_t all;
        see(rank); /* that equal ranks do not cancel out */
        MPI_Reduce(&seen, &all, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("seen %016llx\n", (unsigned long long)all);
    }
    MPI_Finalize();
}
