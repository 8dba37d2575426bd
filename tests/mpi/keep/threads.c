/* Threads of two ranks exchange messages, each on a communicator of its own, and call what leaves
 * records in between: threads STEPS CALLS. The n-th message of a communicator has n bytes. One
 * thread waits all the time, in one receive. Prints `threads: right`.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, LONGEST = 1024 };

static MPI_Comm comms[THREADS];
static int rank, steps, calls, wrong[THREADS];

static void is(int thread, const MPI_Status *status, int bytes)
{
    int count;
    MPI_Get_count(status, MPI_BYTE, &count);
    wrong[thread] += count != bytes;
}

static void *exchange(void *of)
{
    const int thread = (int)(long)of, other = 1 - rank;
    MPI_Comm comm = comms[thread];
    char in[LONGEST], out[LONGEST] = "", early[LONGEST];
    MPI_Status status;
    for (int step = 0; step < steps; step++) {
        MPI_Request request, sent;
        MPI_Irecv(early, LONGEST, MPI_BYTE, other, 0, comm, &request);
        MPI_Isend(out, 2 * step + 1, MPI_BYTE, other, 0, comm, &sent);
        for (int k = 0; k < calls; k++)
            MPI_Comm_rank(comm, &(int){0});
        MPI_Send(out, 2 * step + 2, MPI_BYTE, other, 0, comm);
        MPI_Recv(in, LONGEST, MPI_BYTE, step % 2 ? other : MPI_ANY_SOURCE, 0, comm, &status);
        is(thread, &status, 2 * step + 2);
        MPI_Wait(&request, &status);
        is(thread, &status, 2 * step + 1);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        if (step % 4 == 0)
            MPI_Barrier(comm);
    }
    return NULL;
}

static void *wait_for_end(void *of)
{
    const int thread = (int)(long)of;
    MPI_Status status;
    char in[LONGEST];
    MPI_Recv(in, LONGEST, MPI_BYTE, 1 - rank, 0, comms[thread], &status);
    is(thread, &status, LONGEST);
    return NULL;
}

int main(int argc, char **argv)
{
    static char end[LONGEST];
    int level, all, own = 0;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    steps = atoi(argv[1]);
    calls = atoi(argv[2]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    calls *= 1 + rank;
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    if (level == MPI_THREAD_MULTIPLE) {
        pthread_create(&threads[0], NULL, wait_for_end, (void *)0L);
        for (long i = 1; i < THREADS; i++)
            pthread_create(&threads[i], NULL, exchange, (void *)i);
        for (int i = 1; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        MPI_Send(end, LONGEST, MPI_BYTE, 1 - rank, 0, comms[0]);
        pthread_join(threads[0], NULL);
    }
    for (int i = 0; i < THREADS; i++)
        own += wrong[i];
    MPI_Reduce(&own, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all == 0 && level == MPI_THREAD_MULTIPLE ? "threads: right" : "threads: WRONG");
    MPI_Finalize();
    return 0;
}
