/* Two threads of each rank exchange messages of their own tag. archive: messages 40 */
#include "../chapter.h"
#include <pthread.h>

static void *exchange(void *tag) {
    for (int k = 0; k < 10; k++) {
        int value = k, got = -1;
        MPI_Sendrecv(&value, 1, MPI_INT, !rank, (int)(long)tag, &got, 1, MPI_INT, !rank,
                     (int)(long)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(got == k);
    }
    return NULL;
}

int main(void) {
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_MULTIPLE) {
        puts("cannot: no MPI_THREAD_MULTIPLE");
        MPI_Finalize();
        return 0;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, exchange, (void *)1);
    exchange((void *)2);
    pthread_join(thread, NULL);
    return end();
}
