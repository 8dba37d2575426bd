/* Values of the program's own, of doubles and of integers, while recording is off and from a thread.
 * Prints `values: ok`.
 */
#include <mpi.h>
#include <mpiscope.h>
#include <pthread.h>
#include <scorep/SCOREP_User.h>
#include <stdio.h>

static void *beside(void *unused)
{
    mpiscope_metric_int("of a thread", -5);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    pthread_t thread;
    SCOREP_USER_METRIC_LOCAL(cells)

    mpiscope_metric("before MPI_Init", 1.0);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    SCOREP_USER_METRIC_INIT(cells, "cells", "#", SCOREP_USER_METRIC_TYPE_INT64, 0)
    for (int step = 0; step < 4; step++) {
        /* Each rank has more to tell, in another order of names. */
        if (rank == 1)
            mpiscope_metric("of rank 1", 0.5);
        mpiscope_metric("residual", 1.0 / (1 << step));
        SCOREP_USER_METRIC_INT64(cells, 100 * rank + step)
        MPI_Barrier(MPI_COMM_WORLD);
    }
    /* The same name of another kind is another one. */
    mpiscope_metric_int("residual", 7);
    MPI_Pcontrol(0);
    mpiscope_metric("residual", 99.0);
    MPI_Pcontrol(1);
    pthread_create(&thread, 0, beside, 0);
    pthread_join(thread, 0);
    MPI_Finalize();
    if (rank == 0)
        printf("values: ok\n");
    return 0;
}
