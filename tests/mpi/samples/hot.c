/* Computes three times as long in one function as in another, with MPI between. With `threads` another
   thread computes, which never calls MPI; with `timer` the program has a timer and a handler of its
   own; with `for-ever` it does not end, and says who its ranks are. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "compute.h"

static volatile sig_atomic_t fired;
static long unit;
static unsigned long of_thread;

static void handler(int signal)
{
    fired += signal == SIGPROF;
}

__attribute__((noinline)) static void *aside(void *none)
{
    of_thread = 1;
    for (long i = 0; i < 60 * unit; i++)
        of_thread = STEP(of_thread);
    return none;
}

static void begin_timer(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval every = {{0, 5000}, {0, 5000}};
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &every, NULL);
}

int main(int argc, char **argv)
{
    int provided, rank, ok = 1, all;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *how = argc > 1 ? argv[1] : "";
    int has_thread = !strcmp(how, "threads"), has_timer = !strcmp(how, "timer");
    int rounds = strcmp(how, "for-ever") ? 10 : 1 << 30;
    if (rounds > 10) {
        printf("rank %d pid %d\n", rank, (int)getpid());
        fflush(stdout);
    }
    unit = unit_here();
    MPI_Bcast(&unit, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    pthread_t thread;
    if (has_timer)
        begin_timer();
    if (has_thread)
        pthread_create(&thread, NULL, aside, NULL);
    unsigned long state = rank + 1, sum = 0, expected = 1;
    for (int round = 0; round < rounds; round++) {
        state = often(state, unit);
        MPI_Allreduce(&state, &sum, 1, MPI_UNSIGNED_LONG, MPI_BXOR, MPI_COMM_WORLD);
        state = seldom(state + sum, unit);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (has_thread) {
        pthread_join(thread, NULL);
        for (long i = 0; i < 60 * unit; i++)
            expected = STEP(expected);
        ok = of_thread == expected;
    }
    if (has_timer)
        ok = fired > 0;
    MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("samples: %s\n", all ? "passed" : "failed");
    MPI_Finalize();
    return !all;
}
