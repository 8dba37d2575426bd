/* A request of the program's own is cancelled. archive: messages 0 */
#include "../chapter.h"

static int cancelled;

static int query(void *state, MPI_Status *status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, cancelled);
    return MPI_SUCCESS;
}

static int nothing(void *state) {
    (void)state;
    return MPI_SUCCESS;
}

static int on_cancel(void *state, int complete) {
    (void)state;
    cancelled = !complete;
    return MPI_SUCCESS;
}

int main(void) {
    begin();
    int flag;
    MPI_Request request;
    MPI_Status status;
    MPI_Grequest_start(query, nothing, on_cancel, NULL, &request);
    MPI_Cancel(&request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    expect(flag && cancelled);
    return end();
}
