/* An error handler that jumps without leaving the call: within itself, and from one stack of the
 * program's to another and back, below and above that of the call. The calls return. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STACK = 1 << 18 };
static jmp_buf here, there;
static ucontext_t caller, other;
static char low[STACK];
static char *stack;
static int rank, failures, asked;

/* On a stack of its own: goes away and comes back by jumps, and calls MPI. */
static void elsewhere(void)
{
    int size;
    if (!setjmp(there)) {
        swapcontext(&other, &caller);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        asked += size > 0;
        longjmp(here, 1);
    }
}

static void handler(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    (void)error;
    if (!setjmp(here))
        longjmp(here, 1);
    getcontext(&other);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = STACK;
    other.uc_link = &caller;
    makecontext(&other, elsewhere, 0);
    swapcontext(&caller, &other);
    if (!setjmp(here))
        swapcontext(&caller, &other);
}

static void fails(void)
{
    int value = 0;
    failures += MPI_Send(&value, 1, MPI_INT, 999, 0, MPI_COMM_WORLD) == MPI_SUCCESS; /* send */
}

int main(int argc, char **argv)
{
    MPI_Errhandler ours;
    char *mine = malloc(STACK), on_stack[STACK];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(handler, &ours);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, ours);
    char *stacks[] = {low, mine, on_stack};
    for (int k = 0; k < 3; k++) {
        stack = stacks[k];
        fails();
    }
    failures += asked != 3;
    MPI_Errhandler_free(&ours);
    MPI_Barrier(MPI_COMM_WORLD);
    free(mine);
    printf("rank %d: %s\n", rank, failures ? "wrong" : "ok");
    MPI_Finalize();
    return failures != 0;
}
