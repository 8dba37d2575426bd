/* Something to look at with an editor, kept in memory by `volatile`: every rank has a number and
 * a cell of its own; then rank 0 receives from anybody, and prints who came. */
#include "count.h"

struct cell {
    int owner;
    double side[2];
};

static volatile int from;

static void __attribute__((noinline)) receive(void)
{
    int who;
    MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    from = who;
    printf("%d came\n", from); /* who came */
}

int main(int argc, char **argv)
{
    volatile int number = 0;
    volatile struct cell cell = {0, {0, 0}}, *volatile here = &cell;
    MPI_Init(&argc, &argv);
    look_around();
    number = 100 * rank + 42;
    here->owner = rank;
    here->side[1] = 1.5;
    number++; /* all is there */
    if (rank == 0)
        receive();
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    number++;
    number++;
    MPI_Finalize();
    return argc > 1 ? atoi(argv[1]) : 0;
}
