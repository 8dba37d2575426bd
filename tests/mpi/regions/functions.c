/* Functions that the compiler instruments: nested, recursive, left by longjmp, in threads, in a signal
 * handler, within an operation of MPI. Prints `functions: ok`.
 */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static volatile double heat;
static jmp_buf out;

__attribute__((noinline)) static void work(int n)
{
    for (int i = 0; i < n; i++)
        heat += i;
}

__attribute__((noinline)) static int down(int n)
{
    return n ? down(n - 1) + 1 : 0;
}

__attribute__((noinline)) static void leap(void)
{
    work(10);
    longjmp(out, 1);
}

__attribute__((noinline)) static void around(void)
{
    if (!setjmp(out))
        leap();
}

__attribute__((noinline)) static void handler(int signal)
{
    work(signal);
}

__attribute__((noinline)) static void *beside(void *unused)
{
    work(10);
    return unused;
}

__attribute__((noinline)) static void product(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] *= ((int *)in)[i];
}

__attribute__((noinline)) static void exchange(void)
{
    int two = 2, all;
    MPI_Op op;
    MPI_Op_create(product, 1, &op);
    MPI_Allreduce(&two, &all, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 3; step++) {
        work(100);
        exchange();
    }
    down(4);
    around();
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    pthread_create(&thread, 0, beside, 0);
    pthread_join(thread, 0);
    MPI_Finalize();
    work(100);
    if (rank == 0)
        puts("functions: ok");
    return 0;
}
