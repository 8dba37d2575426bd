/* Waits for null and inactive requests return at once, with empty statuses. archive: messages 0 */
#include "../chapter.h"

static int is_empty(const MPI_Status *status) {
    int count;
    MPI_Get_count(status, MPI_BYTE, &count);
    return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && count == 0;
}

int main(void) {
    begin();
    int value, index, flag, done;
    MPI_Status status, statuses[2];
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Recv_init(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], &status);
    expect(is_empty(&status));
    MPI_Test(&requests[1], &flag, &status);
    expect(flag && is_empty(&status));
    MPI_Waitany(2, requests, &index, &status);
    expect(index == MPI_UNDEFINED && is_empty(&status));
    MPI_Waitsome(2, requests, &done, &index, statuses);
    expect(done == MPI_UNDEFINED);
    MPI_Waitall(2, requests, statuses);
    expect(is_empty(&statuses[0]) && is_empty(&statuses[1]));
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[1]);
    return end();
}
