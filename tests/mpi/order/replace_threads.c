/* MPI_THREAD_MULTIPLE: two threads of every rank exchange by MPI_Sendrecv_replace, each by its own
 * tag and with anybody. The elements have holes, which stay as they are. */
#include "saw.h"

enum { THREADS = 2, EACH = 5 };
static uint64_t hashes[THREADS];
static MPI_Datatype holed; /* the first and the third of three */

static void *work(void *argument)
{
    int own = (int)(intptr_t)argument;
    unsigned seed = chance + 31u * (unsigned)own;
    hashes[own] = 1;
    for (int i = 0; i < EACH; i++) {
        int data[6] = {rank, -1, i, 10 + rank, -1, own};
        MPI_Status status;
        usleep(rand_r(&seed) % 200);
        MPI_Sendrecv_replace(data, 2, holed, (rank + 1 + i % (size - 1)) % size, own, MPI_ANY_SOURCE, own,
                             MPI_COMM_WORLD, &status);
        for (int k = 0; k < 6; k++)
            saw_into(&hashes[own], data[k]);
        saw_into(&hashes[own], status.MPI_SOURCE);
        if (data[1] != -1 || data[4] != -1 || data[0] != status.MPI_SOURCE)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    look_around();
    MPI_Type_vector(2, 1, 2, MPI_INT, &holed);
    MPI_Datatype vector = holed;
    MPI_Type_create_resized(vector, 0, 3 * sizeof(int), &holed);
    MPI_Type_commit(&holed);
    for (int k = 0; k < THREADS; k++) {
        pthread_create(&threads[k], NULL, work, (void *)(intptr_t)k);
        if (provided < MPI_THREAD_MULTIPLE)
            pthread_join(threads[k], NULL);
    }
    for (int k = 0; k < THREADS && provided == MPI_THREAD_MULTIPLE; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < THREADS; k++)
        saw((long)hashes[k]);
    MPI_Type_free(&vector);
    MPI_Type_free(&holed);
    print_saw();
    MPI_Finalize();
}
