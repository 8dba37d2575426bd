/* Functions that are entered where nothing may go wrong: before main, in a
 * thread, in a signal handler at any moment, by a jump that leaves them, and
 * while the process exits. */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile long handled;
static jmp_buf back;

__attribute__((constructor)) static void early(void) { handled = 0; }
static void late(void) { puts("late"); }
__attribute__((noinline)) static void tick(void) { handled++; }
static void handler(int number) { (void)number; tick(); }
__attribute__((noinline)) static void leap(void) { longjmp(back, 1); }
__attribute__((noinline)) static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void *thread(void *sum) { *(long *)sum = fib(20); return 0; }

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval each = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    long sum = 0, own = 0;
    pthread_t other;
    atexit(late);
    MPI_Init(&argc, &argv);
    sigaction(SIGPROF, &action, 0);
    setitimer(ITIMER_PROF, &each, 0);
    pthread_create(&other, 0, thread, &sum);
    while (handled < 100)
        own = fib(20);
    pthread_join(other, 0);
    setitimer(ITIMER_PROF, &never, 0);
    if (setjmp(back) == 0)
        leap();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    printf("%ld %ld\n", own, sum);
}
