/* Two threads of rank 1 send to one receive loop that names rank 1 and leaves the tag
 * open: threads have no order among them (MPI 4.1, §3.5), so either tag may come first.
 *
 * ranks: 2 */
#include "race.h"

static void *send(void *tag)
{
    MPI_Send(tag, 1, MPI_INT, 0, *(int *)tag, WORLD);
    return NULL;
}

int main(void)
{
    int provided, tags[2] = {1, 2};
    pthread_t threads[2];
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(WORLD, &rank);
    for (int i = 0; i < 2; i++)
        if (rank == 1)
            pthread_create(&threads[i], NULL, send, &tags[i]);
        else
            MPI_Recv(&x, 1, MPI_INT, 1, MPI_ANY_TAG, WORLD, IGNORE); /* RACE: order */
    for (int i = 0; rank == 1 && i < 2; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
}
