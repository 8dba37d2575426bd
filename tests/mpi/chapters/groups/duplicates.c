/* Duplicates, also while messages go. archive: messages 6 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm comms[3];
    MPI_Request request;
    int got;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_idup(comms[0], &comms[1], &request);
    MPI_Sendrecv(&rank, 1, MPI_INT, !rank, 1, &got, 1, MPI_INT, !rank, 1, comms[0],
                 MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_dup_with_info(comms[1], MPI_INFO_NULL, &comms[2]);
    for (int k = 1; k < 3; k++)
        MPI_Sendrecv(&rank, 1, MPI_INT, !rank, 1, &got, 1, MPI_INT, !rank, 1, comms[k],
                     MPI_STATUS_IGNORE);
    expect(got == !rank);
    for (int k = 0; k < 3; k++)
        MPI_Comm_free(&comms[k]);
    return end();
}
