/* One of two receives fails: MPI_ERR_IN_STATUS says which. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    let_errors_return();
    int values[4] = {1, 2, 3, 4}, got[2][4] = {{0}};
    if (rank == 0) {
        MPI_Send(values, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(values, 4, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Request requests[2];
        MPI_Status statuses[2];
        MPI_Irecv(got[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(got[1], 4, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[1]);
        int error = MPI_Waitall(2, requests, statuses);
        expect(class_of(error) == MPI_ERR_IN_STATUS);
        expect(class_of(statuses[0].MPI_ERROR) == MPI_ERR_TRUNCATE);
        /* Where it is not pending, this is the null request. */
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        expect(got[1][3] == 4);
    }
    return end();
}
