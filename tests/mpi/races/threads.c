/* Two threads of rank 0, each with its tag, receive from two ranks each: a race in
 * either thread, none between them.
 *
 * ranks: 3 */
#include "race.h"

static void *receive(void *tag)
{
    int in;
    for (int i = 0; i < 2; i++)
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, *(int *)tag, WORLD, IGNORE); /* RACE: order */
    return NULL;
}

int main(void)
{
    int provided, tags[2] = {1, 2};
    pthread_t threads[2];
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(WORLD, &rank);
    for (int i = 0; i < 2; i++)
        if (rank == 0)
            pthread_create(&threads[i], NULL, receive, &tags[i]);
        else
            MPI_Send(&x, 1, MPI_INT, 0, tags[i], WORLD);
    for (int i = 0; rank == 0 && i < 2; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
}
