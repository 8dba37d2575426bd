/* MPI_THREAD_MULTIPLE: threads of rank 0 share a budget of units of work, of one to four answers
 * each. Who takes which unit is another one in every run, and so how often a thread calls MPI. */
#include <stdatomic.h>

#include "saw.h"

enum { THREADS = 3, EACH = 60, MOST = 4, UNITS = EACH * 2 / (MOST + 1) };
static atomic_int taken;

static void *work(void *argument)
{
    unsigned seed = chance + 31u * (unsigned)(intptr_t)argument;
    for (;;) {
        usleep(rand_r(&seed) % 500);
        int unit = atomic_fetch_add(&taken, 1);
        if (unit >= UNITS * (size - 1))
            return NULL;
        for (int k = 0; k <= unit % MOST; k++) {
            MPI_Status status;
            int data;
            MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            MPI_Send(&data, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    look_around();
    for (int k = 0; rank == 0 && k < THREADS; k++)
        pthread_create(&threads[k], NULL, work, (void *)(intptr_t)k);
    for (int k = 0; rank == 0 && k < THREADS; k++)
        pthread_join(threads[k], NULL);
    for (int i = 0; rank > 0 && i < EACH; i++) {
        int data = i;
        dawdle(300);
        MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
