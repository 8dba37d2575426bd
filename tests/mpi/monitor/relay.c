/* Short-lived threads, sixteen at a time: some end while others begin.
 *
 *     relay [threads = 200] */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static void *ask(void *nothing)
{
    int rank;
    (void)nothing;
    for (int i = 0; i < 4; i++)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, threads = argc > 1 ? atoi(argv[1]) : 200;
    pthread_t alive[16];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < threads + 16; i++) {
        if (i >= 16)
            pthread_join(alive[i % 16], NULL);
        if (i < threads)
            pthread_create(&alive[i % 16], NULL, ask, NULL);
    }
    MPI_Finalize();
}
