/* How long does it take to begin and end a region by name (mpiscope.h)?
 *
 *     regions [iterations = 200000]
 *
 * Prints ns per iteration. */
#include <mpi.h>
#include <mpiscope.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void work(long iterations)
{
    for (long i = 0; i < iterations; i++) {
        mpiscope_region_begin("solve");
        mpiscope_region_end("solve");
    }
}

int main(int argc, char **argv)
{
    long iterations = argc > 1 ? atol(argv[1]) : 200000;
    MPI_Init(&argc, &argv);
    work(iterations / 10); /* warm caches and pages */
    double start = now();
    work(iterations);
    printf("ns_per_call %.3f\n", (now() - start) / (double)iterations);
    MPI_Finalize();
}
