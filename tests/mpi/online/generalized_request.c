/* A generalized request whose query and free functions exchange messages.
 *
 * ranks: 2 */
#include "line.h"

static int query(void *state, MPI_Status *status)
{
    (void)state;
    talk(2);
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = 0;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    talk(2);
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

int main(void)
{
    int data = 0;
    MPI_Request requests[2];
    begin(2);
    talk(3);
    MPI_Irecv(&data, 1, MPI_INT, 1 - rank, 5, WORLD, &requests[0]);
    MPI_Grequest_start(query, release, cancel, NULL, &requests[1]);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 5, WORLD);
    MPI_Grequest_complete(requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(data == 1 - rank);
    talk(3);
    MPI_Finalize();
}
