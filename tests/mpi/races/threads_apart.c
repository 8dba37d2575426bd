/* Each thread of rank 0 has a communicator, and each of these one sender.
 *
 * ranks: 3 */
#include "race.h"

static void *receive(void *comm)
{
    int in;
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, *(MPI_Comm *)comm, IGNORE); /* NONE */
    return NULL;
}

int main(void)
{
    int provided;
    pthread_t threads[2];
    MPI_Comm comms[2];
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(WORLD, &rank);
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(WORLD, &comms[i]);
    for (int i = 0; rank == 0 && i < 2; i++)
        pthread_create(&threads[i], NULL, receive, &comms[i]);
    if (rank > 0)
        MPI_Send(&x, 1, MPI_INT, 0, 0, comms[rank - 1]);
    for (int i = 0; rank == 0 && i < 2; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
}
