/* Ends in the middle of what it named and what the compiler instrumented. */
#include <mpi.h>
#include <mpiscope.h>
#include <signal.h>

__attribute__((noinline)) static void solve(void)
{
    mpiscope_region_begin("inner");
    raise(SIGKILL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    mpiscope_region_begin("outer");
    solve();
    MPI_Finalize();
    return 0;
}
