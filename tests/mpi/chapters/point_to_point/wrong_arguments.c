/* Sends that MPI rejects send nothing. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    let_errors_return();
    int value = 1;
    MPI_Request request;
    expect(class_of(MPI_Send(&value, 1, MPI_INT, size, 1, MPI_COMM_WORLD)) == MPI_ERR_RANK);
    expect(class_of(MPI_Send(&value, -1, MPI_INT, 1, 1, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
    expect(class_of(MPI_Send(&value, 1, MPI_INT, 1, -7, MPI_COMM_WORLD)) == MPI_ERR_TAG);
    expect(class_of(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 1, 1, MPI_COMM_WORLD)) == MPI_ERR_TYPE);
    expect(class_of(MPI_Isend(&value, 1, MPI_INT, size, 1, MPI_COMM_WORLD, &request)) ==
           MPI_ERR_RANK);
    expect(class_of(MPI_Irecv(&value, 1, MPI_INT, size, 1, MPI_COMM_WORLD, &request)) ==
           MPI_ERR_RANK);
    expect(class_of(MPI_Recv(&value, 1, MPI_INT, 0, -7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)) ==
           MPI_ERR_TAG);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end();
}
