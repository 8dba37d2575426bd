/* Takes the signal of our timers from us, as a program can that asks the kernel itself. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compute.h"

int main(int argc, char **argv)
{
    struct {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(void);
        unsigned long mask;
    } ignored = {SIG_IGN, 0, 0, 0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long unit = unit_here();
    volatile unsigned long state = often(rank, 5 * unit);
    if (syscall(SYS_rt_sigaction, 33, &ignored, NULL, 8) != 0)
        perror("rt_sigaction");
    state = seldom(state, 15 * unit);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("takes: passed\n");
    MPI_Finalize();
    return 0;
}
