/* Threads with as small a stack as the system gives, that call MPI first there: one that only asks, and
   one that sends to itself. Prints `rank R: ok`. */
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *asks(void *unused)
{
    int flag;
    MPI_Initialized(&flag);
    return unused;
}

static void *sends(void *right)
{
    int sent = 7, received = 0;
    MPI_Request request;
    MPI_Irecv(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    *(int *)right = received == sent;
    return 0;
}

int main(int argc, char **argv)
{
    int rank, provided, right = 0;
    pthread_attr_t small;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, sysconf(_SC_THREAD_STACK_MIN));
    pthread_create(&thread, &small, asks, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, &small, sends, &right);
    pthread_join(thread, 0);
    printf("rank %d: %s\n", rank, right ? "ok" : "wrong");
    MPI_Finalize();
    return 0;
}
