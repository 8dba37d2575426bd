/* Threads that are created one by one: three that send, one that never calls MPI, one that is
 * detached; twice, the second time from a thread. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#define SENDERS 3

static int rank, other;
static pthread_barrier_t all_sent;

static void *send(void *of)
{
    int number = *(int *)of;
    MPI_Send(&number, 1, MPI_INT, other, number, MPI_COMM_WORLD);
    return of;
}

static void *silent(void *nothing) { return nothing; }

static void *detached(void *nothing)
{
    int mine = 7;
    MPI_Send(&mine, 1, MPI_INT, other, SENDERS, MPI_COMM_WORLD);
    pthread_barrier_wait(&all_sent);
    return nothing;
}

/* Returns how much went wrong. */
static int round_of_threads(void)
{
    pthread_t threads[SENDERS], quiet, alone;
    int numbers[SENDERS], got, wrong = 0;
    void *result;
    for (int i = 0; i < SENDERS; i++) {
        numbers[i] = i;
        wrong += pthread_create(&threads[i], NULL, send, &numbers[i]) != 0; /* sender */
    }
    wrong += pthread_create(&quiet, NULL, silent, NULL) != 0;
    wrong += pthread_create(&alone, NULL, detached, NULL) != 0 || pthread_detach(alone) != 0;
    for (int i = 0; i <= SENDERS; i++) {
        MPI_Recv(&got, 1, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wrong += got != (i < SENDERS ? i : 7);
    }
    for (int i = 0; i < SENDERS; i++) {
        wrong += pthread_join(threads[i], &result) != 0; /* join */
        wrong += result != &numbers[i];
    }
    wrong += pthread_join(quiet, NULL) != 0;
    pthread_barrier_wait(&all_sent);
    return wrong;
}

static void *from_a_thread(void *wrong)
{
    *(int *)wrong += round_of_threads();
    return wrong;
}

int main(int argc, char **argv)
{
    int provided, wrong;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    pthread_barrier_init(&all_sent, NULL, 2);
    wrong = round_of_threads();
    wrong += pthread_create(&thread, NULL, from_a_thread, &wrong) != 0; /* one more */
    wrong += pthread_join(thread, NULL) != 0;
    MPI_Finalize();
    printf("rank %d: %s\n", rank, wrong || provided != MPI_THREAD_MULTIPLE ? "wrong" : "ok");
}
