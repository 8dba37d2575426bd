/* Handles all signals that a program can, and waits for all of them in another thread that blocks
   them: gets none. Both compute. With `user` it changes its user, as a program with threads does that
   drops its rights. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "compute.h"

static volatile sig_atomic_t handled;
static long unit;
static int waited_for;
static volatile unsigned long kept;

static void handler(int signal)
{
    handled = signal;
}

static void *waits(void *none)
{
    sigset_t all;
    struct timespec soon = {0, 1000000};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    for (int round = 0; round < 20; round++) {
        kept = often(kept, unit);
        int signal = sigtimedwait(&all, NULL, &soon);
        if (signal >= 0)
            waited_for = signal;
    }
    return none;
}

int main(int argc, char **argv)
{
    int rank, free = 0, ok, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unit = unit_here();
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) {
        struct sigaction before, action = {.sa_handler = handler};
        if (sigaction(signal, &action, &before) == 0)
            free += before.sa_handler == SIG_DFL;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    if (argc > 1 && !strcmp(argv[1], "user") && seteuid(geteuid()) != 0)
        perror("seteuid");
    unsigned long state = 1;
    for (int round = 0; round < 20; round++)
        state = often(state, unit);
    pthread_join(thread, NULL);
    kept = state;
    ok = free == SIGRTMAX - SIGRTMIN + 1 && !handled && !waited_for;
    if (!ok)
        printf("rank %d: %d free, handled %d, waited for %d\n", rank, free, handled, waited_for);
    MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("signals: %s\n", all ? "passed" : "failed");
    MPI_Finalize();
    return !all;
}
