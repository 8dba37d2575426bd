/* MPI_THREAD_MULTIPLE: two threads of rank 0 add up what comes, each by its own tag and in the
 * order of arrival. Thread 1 adds numbers that are equal, so that its order does not matter. */
#include "../races/race.h"

static double sums[2];

static void *add(void *argument)
{
    const int *tag = argument;
    for (int k = 0; k < 2; k++) {
        int in;
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, *tag, WORLD, IGNORE);
        if (*tag == 0)
            tell(2);
        sums[*tag] = sums[*tag] / 3 + in;
    }
    return NULL;
}

int main(void)
{
    int provided, tags[2] = {0, 1};
    pthread_t threads[2];
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(WORLD, &rank);
    for (int k = 0; rank == 0 && k < 2; k++) {
        pthread_create(&threads[k], NULL, add, &tags[k]);
        if (provided < MPI_THREAD_MULTIPLE)
            pthread_join(threads[k], NULL);
    }
    for (int k = 0; rank == 0 && provided == MPI_THREAD_MULTIPLE && k < 2; k++)
        pthread_join(threads[k], NULL);
    if (rank > 0) {
        x = 9;
        MPI_Send(&x, 1, MPI_INT, 0, 1, WORLD);
        if (rank == 2)
            hear(0);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
    }
    if (rank == 0)
        printf("sums %.3f %.3f\n", sums[0], sums[1]);
    MPI_Finalize();
}
