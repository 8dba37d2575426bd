// Threads that exchange messages at once, each on a communicator of its own, as long as it is told:
// each step has messages whose tags are its numbers, one of which is received in the next step.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 3

static MPI_Comm comms[THREADS];
static int rank, wrong[THREADS];
static const char *until;

static void *work(void *of) {
    const int thread = (int)(long)of, other = 1 - rank;
    MPI_Comm comm = comms[thread];
    MPI_Request ahead = MPI_REQUEST_NULL;
    int over = 0, early = -1;
    for (int step = 0; !over && step < 15000; step++) {
        int theirs = -1;
        MPI_Request sent;
        MPI_Isend(&step, 1, MPI_INT, other, 2 * step, comm, &sent);
        MPI_Recv(&theirs, 1, MPI_INT, step % 3 ? other : MPI_ANY_SOURCE, 2 * step, comm, MPI_STATUS_IGNORE);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        MPI_Wait(&ahead, MPI_STATUS_IGNORE);
        wrong[thread] += theirs != step || (step > 0 && early != step - 1);
        MPI_Irecv(&early, 1, MPI_INT, other, 2 * step + 1, comm, &ahead);
        MPI_Send(&step, 1, MPI_INT, other, 2 * step + 1, comm);
        int own = rank == 0 && access(until, F_OK) == 0;
        MPI_Allreduce(&own, &over, 1, MPI_INT, MPI_MAX, comm);
        usleep(500);
    }
    MPI_Wait(&ahead, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv) {
    int level;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    until = argv[1];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (long i = 0; i < THREADS && level == MPI_THREAD_MULTIPLE; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS && level == MPI_THREAD_MULTIPLE; i++)
        pthread_join(threads[i], NULL);
    int own = wrong[0] + wrong[1] + wrong[2], all;
    MPI_Reduce(&own, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all == 0 && level == MPI_THREAD_MULTIPLE ? "right" : "WRONG");
    MPI_Finalize();
    return 0;
}
