/* A program that has hooks of its own: they are called, not ours. */
#include <mpi.h>
#include <stdio.h>

static int entered, left;

#define UNSEEN __attribute__((no_instrument_function))
UNSEEN void __cyg_profile_func_enter(void *f, void *c) { (void)f, (void)c, entered++; }
UNSEEN void __cyg_profile_func_exit(void *f, void *c) { (void)f, (void)c, left++; }

__attribute__((noinline)) static void work(void) { MPI_Barrier(MPI_COMM_WORLD); }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++)
        work();
    MPI_Finalize();
    printf("%d %d\n", entered, left);
}
