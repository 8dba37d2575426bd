/* Two threads of each of two ranks call MPI at once, on communicators of their own; those of rank
 * 1 come late to all that their partners wait for. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { LATE = 100000, ROUNDS = 3 };
static MPI_Comm comms[2];
static int rank;

static void *work(void *comm)
{
    MPI_Comm own = *(MPI_Comm *)comm;
    for (int word = 0; word < ROUNDS; word++) {
        usleep(rank == 1 ? LATE : 0);
        if (rank == 1)
            MPI_Send(&word, 1, MPI_INT, 0, 0, own);
        if (rank == 0)
            MPI_Recv(&word, 1, MPI_INT, 1, 0, own, MPI_STATUS_IGNORE);
        usleep(rank == 1 ? LATE : 0);
        MPI_Barrier(own);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (level < MPI_THREAD_MULTIPLE)
        printf("no MPI_THREAD_MULTIPLE\n");
    pthread_t other;
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    if (level == MPI_THREAD_MULTIPLE) {
        pthread_create(&other, NULL, work, &comms[1]);
        work(&comms[0]);
        pthread_join(other, NULL);
    }
    MPI_Finalize();
    return 0;
}
