/* Communicators of the same members from the same parent, told apart by nothing but the call
 * that made them: a duplicate and one of MPI_Comm_create_group, which even and odd ranks begin
 * in different order; then two threads, each with its own tag or its own communicators, so that
 * MPI_Comm_create_group and MPI_Intercomm_create are made in any order. Of each pair the second
 * gets twice the messages of the first. Prints the receives that took what they met. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { TAG = 5, ROUNDS = 4 };

static int rank, size;
static MPI_Group everybody;
static MPI_Comm half[2], peer[2];

/* The last rank takes messages from anybody; thread `t` sends `t + 1` from each of the others. */
static void talk(MPI_Comm comm, int t)
{
    int own, members, data[2] = {t, t};
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &members);
    for (int k = 0; k <= t; k++) {
        if (own < members - 1)
            MPI_Send(data, t + 1, MPI_INT, members - 1, TAG, comm);
        for (int from = 0; own == members - 1 && from < members - 1; from++) {
            MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, TAG, comm, MPI_STATUS_IGNORE);
            if (data[0] != t)
                MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

static void by_kind(void)
{
    MPI_Comm duplicate, group;
    MPI_Request request;
    if (rank % 2)
        MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
    MPI_Comm_create_group(MPI_COMM_WORLD, everybody, 0, &group);
    if (rank % 2 == 0)
        MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    talk(duplicate, 0);
    talk(group, 1);
    MPI_Comm_free(&duplicate);
    MPI_Comm_free(&group);
}

static void *by_thread(void *which)
{
    int t = *(int *)which;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm group, across, merged;
        MPI_Comm_create_group(MPI_COMM_WORLD, everybody, 1 + t, &group);
        talk(group, t);
        MPI_Intercomm_create(half[t], 0, peer[t], 1 - rank % 2, TAG, &across);
        MPI_Intercomm_merge(across, rank % 2, &merged);
        talk(merged, t);
        MPI_Comm_free(&merged);
        MPI_Comm_free(&across);
        MPI_Comm_free(&group);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level, numbers[2] = {0, 1};
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    by_kind();
    for (int t = 0; t < 2; t++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half[t]);
        MPI_Comm_dup(MPI_COMM_WORLD, &peer[t]);
    }
    int threaded = level == MPI_THREAD_MULTIPLE;
    for (int t = 0; threaded && t < 2; t++)
        pthread_create(&threads[t], NULL, by_thread, &numbers[t]);
    for (int t = 0; threaded && t < 2; t++)
        pthread_join(threads[t], NULL);
    int pairs = 1 + (threaded ? 2 * ROUNDS : 0);
    if (rank == 0)
        printf("received from anybody: %d\n", pairs * 3 * (size - 1));
    MPI_Finalize();
    return 0;
}
