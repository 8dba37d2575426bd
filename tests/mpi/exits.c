/* Returns 7 after MPI_Finalize: an exit code that must reach the shell. */
#include "count.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    COLLECTIVE(MPI_Barrier(MPI_COMM_WORLD));
    print_counted();
    MPI_Finalize();
    return 7;
}
