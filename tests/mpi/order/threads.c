/* MPI_THREAD_MULTIPLE: threads of rank 0 receive from anybody on one communicator, so who posts
 * first matters; threads of the others send on one. */
#include "saw.h"

enum { THREADS = 3, EACH = 6 };
static uint64_t hashes[THREADS];

static void *work(void *argument)
{
    int own = (int)(intptr_t)argument, data;
    unsigned seed = chance + 31u * (unsigned)own;
    hashes[own] = 1;
    for (int i = 0; i < EACH * (rank > 0 ? 1 : size - 1); i++) {
        usleep(rand_r(&seed) % 200);
        if (rank > 0) {
            data = 1000 * rank + 100 * own + i;
            MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        } else if (i % 2) {
            MPI_Status status;
            MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            saw_into(&hashes[own], data);
        } else {
            MPI_Request request;
            MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            saw_into(&hashes[own], data);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    look_around();
    for (int k = 0; k < THREADS; k++) {
        pthread_create(&threads[k], NULL, work, (void *)(intptr_t)k);
        if (provided < MPI_THREAD_MULTIPLE)
            pthread_join(threads[k], NULL);
    }
    for (int k = 0; k < THREADS && provided == MPI_THREAD_MULTIPLE; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < THREADS; k++)
        saw((long)hashes[k]);
    print_saw();
    MPI_Finalize();
}
