/* Two threads of each process send messages round the ring, one a millisecond, until
 * somebody kills it. Prints each rank's process id first, once both have sent. */
#include "count.h"
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

enum { EXCHANGES = 30000 };
static atomic_int begun;

static void *talk(void *argument)
{
    int tag = (int)(intptr_t)argument;
    for (int i = 0; i < EXCHANGES; i++) {
        int out = 10 * i + tag, in;
        MPI_Sendrecv(&out, 1, MPI_INT, right, tag, &in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        count_sent(right, sizeof out);
        count_received(left, sizeof in);
        CHECK(in == out);
        begun += i == 0;
        if (i == 0 && tag == 0) { /* this thread speaks for both */
            while (begun < 2)
                usleep(1000);
            printf("rank %d pid %d\n", rank, (int)getpid());
            fflush(stdout);
        }
        usleep(1000);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    look_around();
    CHECK(provided == MPI_THREAD_MULTIPLE);
    CHECK(pthread_create(&other, NULL, talk, (void *)1) == 0);
    talk(NULL);
    pthread_join(other, NULL);
    print_counted();
    MPI_Finalize();
}
