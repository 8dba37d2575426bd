/* MPI_THREAD_SERIALIZED: threads of rank 0 call MPI by turns, with a lock of their own, and answer
 * whoever asks. Who asks must have had a token from the one before: most messages hang on an
 * earlier answer. A thread that waits with the lock for a message which another thread's answer
 * would bring about waits for ever.
 *
 *     mutex recv|irecv|probe [EACH] */
#include <string.h>

#include "saw.h"

enum { THREADS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *form = "recv";
static int each = 8;

/* Lets others have the lock for a while. */
static void rest(void)
{
    pthread_mutex_unlock(&lock);
    usleep(50);
    pthread_mutex_lock(&lock);
}

/* Returns who asked. */
static int take(int *data)
{
    MPI_Status status;
    MPI_Request request;
    int there = 0;
    if (strcmp(form, "recv") == 0) {
        MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    } else if (strcmp(form, "irecv") == 0) {
        MPI_Irecv(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        for (;;) {
            MPI_Test(&request, &there, &status);
            if (there)
                break;
            rest();
        }
    } else {
        for (;;) {
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
            if (there)
                break;
            rest();
        }
        MPI_Recv(data, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
    }
    saw(status.MPI_SOURCE);
    return status.MPI_SOURCE;
}

static void *work(void *argument)
{
    unsigned seed = chance + 31u * (unsigned)(intptr_t)argument;
    for (int i = 0; i < each * (size - 1); i++) {
        int data = 0;
        usleep(rand_r(&seed) % 300);
        pthread_mutex_lock(&lock);
        int source = take(&data);
        MPI_Send(&data, 1, MPI_INT, source, 1, MPI_COMM_WORLD);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void ask(void)
{
    int before = rank > 1 ? rank - 1 : size - 1, after = rank < size - 1 ? rank + 1 : 1;
    for (int i = 0; i < each * THREADS; i++) {
        int data = i;
        /* All but the last begin with a token. */
        if (i > 0 || rank == size - 1)
            MPI_Recv(&data, 1, MPI_INT, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        dawdle(500);
        MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        saw(data);
        if (i < each * THREADS - 1 || after == size - 1)
            MPI_Send(&data, 1, MPI_INT, after, 2, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    look_around();
    if (argc > 1)
        form = argv[1];
    if (argc > 2)
        each = atoi(argv[2]);
    for (int k = 0; rank == 0 && k < THREADS; k++)
        pthread_create(&threads[k], NULL, work, (void *)(intptr_t)k);
    for (int k = 0; rank == 0 && k < THREADS; k++)
        pthread_join(threads[k], NULL);
    if (rank > 0)
        ask();
    print_saw();
    MPI_Finalize();
    return 0;
}
