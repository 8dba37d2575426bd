/* Communicators that MPI rejects. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    let_errors_return();
    MPI_Comm comm;
    int got, dims[1] = {3}, periods[1] = {0};
    expect(class_of(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm)) == MPI_ERR_GROUP);
    expect(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm) != MPI_SUCCESS);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Sendrecv(&rank, 1, MPI_INT, !rank, 1, &got, 1, MPI_INT, !rank, 1, comm, MPI_STATUS_IGNORE);
    expect(got == !rank);
    MPI_Comm_free(&comm);
    return end();
}
