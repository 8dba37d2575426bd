/* Requests of one-sided communication, files and generalized ones, in sets with messages
 * whose handles may be the same. Every message is an int, or nothing. */
#include "count.h"

#include <unistd.h>

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int nothing(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int not_cancelled(void *state, int complete)
{
    (void)state;
    return complete ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/* Messages around the requests of others: small ones are complete at once. */
static void send(MPI_Request *requests)
{
    MPI_Isend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[0]);
    count_sent(right, sizeof rank);
    MPI_Isend(NULL, 0, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
    count_sent(right, 0);
}

static void receive(void)
{
    int got = -1;
    MPI_Recv(&got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count_received(left, sizeof got);
    CHECK(got == left);
    MPI_Recv(NULL, 0, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count_received(left, 0);
}

static void windows(void)
{
    int memory[2] = {-1, 0}, got = -1, one = 1;
    MPI_Win window;
    MPI_Request all[4];
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    send(all);
    MPI_Rput(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, window, &all[2]);
    MPI_Raccumulate(&one, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, window, &all[3]);
    MPI_Wait(&all[2], MPI_STATUS_IGNORE);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
    receive();
    MPI_Win_unlock_all(window);
    COLLECTIVE(MPI_Barrier(MPI_COMM_WORLD));
    MPI_Win_lock(MPI_LOCK_SHARED, left, 0, window);
    MPI_Rget(&got, 1, MPI_INT, left, 1, 1, MPI_INT, window, &all[0]);
    MPI_Wait(&all[0], MPI_STATUS_IGNORE);
    MPI_Win_unlock(left, window);
    CHECK(got == 1);
    COLLECTIVE(MPI_Barrier(MPI_COMM_WORLD));
    MPI_Win_free(&window);
}

static void files(void)
{
    char name[60];
    int got = -1;
    MPI_File file;
    MPI_Request all[3];
    snprintf(name, sizeof name, "other-requests-%d-%ld", rank, (long)getpid());
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    MPI_File_open(MPI_COMM_SELF, name, mode, MPI_INFO_NULL, &file);
    send(all);
    MPI_File_iwrite_at(file, 0, &rank, 1, MPI_INT, &all[2]);
    MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
    receive();
    MPI_File_iread_at(file, 0, &got, 1, MPI_INT, &all[0]);
    MPI_Wait(&all[0], MPI_STATUS_IGNORE);
    CHECK(got == rank);
    MPI_File_close(&file);
}

static void generalized(void)
{
    MPI_Request all[3];
    int index;
    send(all);
    MPI_Grequest_start(query, nothing, not_cancelled, NULL, &all[2]);
    MPI_Grequest_complete(all[2]);
    for (int i = 0; i < 3; i++)
        MPI_Waitany(3, all, &index, MPI_STATUS_IGNORE);
    receive();
}

/* A request looked at stays what it is. */
static void looked_at(void)
{
    int got = -1, done = 0;
    MPI_Request in, out[2];
    MPI_Irecv(&got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &in);
    MPI_Request_get_status(in, &done, MPI_STATUS_IGNORE);
    CHECK(!done);
    COLLECTIVE(MPI_Barrier(MPI_COMM_WORLD));
    send(out);
    while (!done) {
        usleep(1000);
        MPI_Request_get_status(in, &done, MPI_STATUS_IGNORE);
    }
    CHECK(in != MPI_REQUEST_NULL);
    MPI_Wait(&in, MPI_STATUS_IGNORE);
    count_received(left, sizeof got);
    CHECK(got == left);
    MPI_Recv(NULL, 0, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count_received(left, 0);
    MPI_Waitall(2, out, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    windows();
    files();
    generalized();
    looked_at();
    print_counted();
    MPI_Finalize();
}
