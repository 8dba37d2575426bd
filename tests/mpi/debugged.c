/* Something to look at with a debugger, kept in memory by `volatile`: every rank holds a
 * part of an array of 10 (rank 0 the largest), between ghost cells that hold -1; then rank 0
 * receives from anybody, and prints in which order. */
#include "count.h"

static volatile int n, part[6], order[16]; static char line[64];

static void fill(int first)
{
    for (int i = 0; i < n + 2; i++)
        part[i] = -1;
    for (int i = 0; i < n; i++)
        part[i + 1] = 10 * (first + i);
}

static void receive_all(void)
{
    for (int i = 0; i < 2 * (size - 1); i++) {
        int from;
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        order[i] = from; /* who came */
    }
    for (int i = 0, at = 0; i < 2 * (size - 1); i++)
        at += sprintf(line + at, "%d ", order[i]);
    printf("%scame\n", line); /* at once, so that nobody's words come between */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    n = 10 / size + (rank < 10 % size);
    fill(10 / size * rank + (rank < 10 % size ? rank : 10 % size));
    COLLECTIVE(MPI_Barrier(MPI_COMM_WORLD)); /* all have their part */
    if (rank == 0) {
        receive_all();
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return argc > 1 ? atoi(argv[1]) : 0;
}
