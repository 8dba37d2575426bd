/* A request of the program's own, completed by a thread. archive: messages 0 */
#include "../chapter.h"
#include <pthread.h>

static int freed;

static int query(void *state, MPI_Status *status) {
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = 77;
    return MPI_SUCCESS;
}

static int on_free(void *state) {
    (void)state;
    freed++;
    return MPI_SUCCESS;
}

static int on_cancel(void *state, int complete) {
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

int main(void) {
    begin();
    int state = 3, count, flag;
    MPI_Request request;
    MPI_Status status;
    MPI_Grequest_start(query, on_free, on_cancel, &state, &request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    expect(!flag);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_elements(&status, MPI_INT, &count);
    expect(count == 3 && status.MPI_TAG == 77 && freed == 1);
    return end();
}
