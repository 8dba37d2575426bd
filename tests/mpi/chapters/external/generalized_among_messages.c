/* A request of the program's own waits with a message. archive: messages 2 */
#include "../chapter.h"

static int query(void *state, MPI_Status *status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int nothing(void *state) {
    (void)state;
    return MPI_SUCCESS;
}

static int on_cancel(void *state, int complete) {
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

int main(void) {
    begin();
    int got = -1;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Irecv(&got, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Grequest_start(query, nothing, on_cancel, NULL, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Grequest_complete(requests[1]);
    MPI_Waitall(3, requests, statuses);
    expect(got == !rank && statuses[0].MPI_SOURCE == !rank);
    return end();
}
