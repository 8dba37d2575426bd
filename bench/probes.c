/* How long does a probe take? Compiled by `mpiscope cc`, by the plain compiler, and with
 * -finstrument-functions; bench/outside.c is compiled plain.
 *
 *     probes announced|procedure|loop [iterations = 10000000]
 *
 * `announced` calls a function of a file without probes: the call is announced, no more.
 * `procedure` calls one that has probes: announced, entered, left. `loop` has a loop
 * around each of the calls that are announced. Prints ns per iteration. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void outside(void);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

__attribute__((noinline)) static void tiny(void) { __asm__ volatile(""); }

static void announced(long iterations, int turns)
{
    (void)turns;
    for (long i = 0; i < iterations; i++)
        outside();
}

static void procedure(long iterations, int turns)
{
    (void)turns;
    for (long i = 0; i < iterations; i++)
        tiny();
}

static void loop(long iterations, int turns)
{
    for (long i = 0; i < iterations; i++) {
        for (int k = 0; k < turns; k++)
            outside();
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "procedure";
    long iterations = argc > 2 ? atol(argv[2]) : 10000000;
    void (*work)(long, int) = *what == 'a' ? announced : *what == 'l' ? loop : procedure;
    MPI_Init(&argc, &argv);
    work(iterations / 10, 1); /* warm caches and pages */
    double start = now();
    work(iterations, 1);
    printf("ns_per_call %.3f\n", (now() - start) / (double)iterations);
    MPI_Finalize();
}
