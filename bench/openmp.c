/* How long does a construct of OpenMP take?
 *
 *     openmp barrier|critical|lock|parallel [iterations = 20000]
 *
 * By one thread, so that nobody waits. Prints ns per construct (a lock is set and given back): the
 * tenth part, the median and the mean of BATCHES batches. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCHES 20

static omp_lock_t lock;
static volatile long done;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double barrier(long n)
{
    double took = 0;
#pragma omp parallel num_threads(1)
    {
        double start = now();
        for (long i = 0; i < n; i++) {
#pragma omp barrier
        }
        took = now() - start;
    }
    return took;
}

static double critical(long n)
{
    double start = now();
    for (long i = 0; i < n; i++) {
#pragma omp critical
        done++;
    }
    return now() - start;
}

static double locked(long n)
{
    double start = now();
    for (long i = 0; i < n; i++) {
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
    }
    return now() - start;
}

static double parallel(long n)
{
    double start = now();
    for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(1)
        done++;
    }
    return now() - start;
}

static const struct {
    const char *name;
    double (*loop)(long);
} LOOPS[] = {{"barrier", barrier}, {"critical", critical}, {"lock", locked}, {"parallel", parallel}};

static int ascending(const void *a, const void *b)
{
    double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

int main(int argc, char **argv)
{
    long iterations = (argc > 2 ? atol(argv[2]) : 20000) / BATCHES;
    double times[BATCHES], sum = 0;
    size_t which = 0;
    while (argc < 2 || strcmp(LOOPS[which].name, argv[1]))
        if (argc < 2 || ++which == sizeof LOOPS / sizeof *LOOPS)
            return fprintf(stderr, "openmp: no such construct\n"), 2;
    MPI_Init(&argc, &argv);
    omp_init_lock(&lock);
    LOOPS[which].loop(iterations); /* warm caches and pages */
    for (int batch = 0; batch < BATCHES; batch++) {
        times[batch] = LOOPS[which].loop(iterations) / (double)iterations;
        sum += times[batch];
    }
    qsort(times, BATCHES, sizeof *times, ascending);
    printf("p10 %.2f median %.2f mean %.2f\n", times[BATCHES / 10], times[BATCHES / 2], sum / BATCHES);
    MPI_Finalize();
}
