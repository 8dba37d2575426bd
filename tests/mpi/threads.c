/* MPI_THREAD_MULTIPLE: each thread talks round the ring with its own tag.
 *
 *     threads [threads = 3] [messages = 8] */
#include "count.h"
#include <pthread.h>
#include <stdint.h>

static int messages = 8;

static void *talk(void *argument)
{
    int tag = (int)(intptr_t)argument;
    for (int i = 0; i < messages; i++) {
        int out = 10000 * rank + 100 * tag + i, in;
        MPI_Request request;
        MPI_Status status;
        MPI_Isend(&out, 1, MPI_INT, right, tag, MPI_COMM_WORLD, &request);
        count_sent(right, sizeof out);
        MPI_Recv(&in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &status);
        count_status(&status);
        CHECK(in == 10000 * left + 100 * tag + i);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, threads = argc > 1 ? atoi(argv[1]) : 3;
    messages = argc > 2 ? atoi(argv[2]) : messages;
    pthread_t thread[64];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    look_around();
    CHECK(provided == MPI_THREAD_MULTIPLE);
    CHECK(threads <= 64);
    for (intptr_t i = 0; i < threads; i++)
        CHECK(pthread_create(&thread[i], NULL, talk, (void *)i) == 0);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    print_counted();
    MPI_Finalize();
}
