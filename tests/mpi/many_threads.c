/* More threads than a process may open files, one after the other, each with a message to
 * itself. At the end there must be files left for the program.
 *
 *     many_threads [threads = 600] [files = 128] */
#include "count.h"
#include <pthread.h>
#include <stdint.h>
#include <sys/resource.h>

static void *talk(void *argument)
{
    int out = (int)(intptr_t)argument, in = -1;
    MPI_Sendrecv(&out, 1, MPI_INT, rank, 1, &in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count_sent(rank, sizeof out);
    count_received(rank, sizeof in);
    CHECK(in == out);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, threads = argc > 1 ? atoi(argv[1]) : 600;
    rlim_t files = argc > 2 ? (rlim_t)atoi(argv[2]) : 128;
    pthread_t thread;
    CHECK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){files, files}) == 0);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    look_around();
    CHECK(provided >= MPI_THREAD_SERIALIZED);
    for (intptr_t i = 0; i < threads; i++) {
        CHECK(pthread_create(&thread, NULL, talk, (void *)i) == 0);
        pthread_join(thread, NULL);
    }
    FILE *file = fopen("/dev/null", "r");
    CHECK(file);
    fclose(file);
    print_counted();
    MPI_Finalize();
}
