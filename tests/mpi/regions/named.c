/* Regions by name: nested, in threads, while recording is off, badly ended, and by names that change
 * in place. Prints `named: ok` and how often each was begun on each rank.
 */
#include <mpi.h>
#include <mpiscope.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *beside(void *unused)
{
    for (int i = 0; i < 3; i++) {
        mpiscope_region_begin("beside");
        mpiscope_region_end("beside");
    }
    mpiscope_region_begin("left open by a thread");
    return unused;
}

static void leave(void)
{
    mpiscope_region_end(0);
}

int main(int argc, char **argv)
{
    int rank, provided;
    char name[16];
    pthread_t thread;

    mpiscope_region_begin("before MPI_Init");
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    for (int step = 0; step < 4; step++) {
        mpiscope_region_begin("step");
        snprintf(name, sizeof name, "phase %d", step % 2);
        mpiscope_region_begin(name);
        MPI_Barrier(MPI_COMM_WORLD);
        mpiscope_region_end(name);
        mpiscope_mark("a mark");
        mpiscope_region_end("step");
    }

    /* What nobody ends is left with what is around it. */
    mpiscope_region_begin("outer");
    mpiscope_region_begin("forgotten");
    mpiscope_region_end("outer");

    /* Open while recording is off: left, and entered again. */
    mpiscope_region_begin("across");
    MPI_Pcontrol(0);
    mpiscope_region_begin("unseen");
    MPI_Barrier(MPI_COMM_WORLD);
    mpiscope_region_end("unseen");
    MPI_Pcontrol(1);
    leave();

    if (provided >= MPI_THREAD_FUNNELED) {
        pthread_create(&thread, 0, beside, 0);
        pthread_join(thread, 0);
    }

    mpiscope_region_end("before MPI_Init");
    mpiscope_region_end("never begun");
    mpiscope_region_begin("MPI_Looks_like_one");
    MPI_Finalize();
    mpiscope_region_end("MPI_Looks_like_one");
    if (rank == 0)
        printf("named: ok\n");
    return 0;
}
