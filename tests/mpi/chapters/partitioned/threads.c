/* Threads make parts ready. archive: messages 1 */
#include "../chapter.h"
#include <pthread.h>

static int values[4];
static MPI_Request request;

static void *fill(void *part) {
    values[(long)part] = 1 + (long)part;
    MPI_Pready((long)part, request);
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
    if (rank == 0) {
        pthread_t threads[4];
        MPI_Psend_init(values, 4, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        for (long k = 0; k < 4; k++)
            pthread_create(&threads[k], NULL, fill, (void *)k);
        for (int k = 0; k < 4; k++)
            pthread_join(threads[k], NULL);
    } else {
        MPI_Precv_init(values, 4, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    for (int k = 0; k < 4; k++)
        expect(values[k] == k + 1);
    return end();
}
