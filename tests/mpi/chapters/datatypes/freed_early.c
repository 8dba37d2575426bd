/* A type is freed while a receive uses it. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[4] = {0};
    MPI_Datatype type;
    MPI_Request request;
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank == 1)
        MPI_Irecv(values, 1, type, 0, 1, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        values[3] = 9;
        MPI_Isend(values, 1, type, 1, 1, MPI_COMM_WORLD, &request);
    }
    MPI_Type_free(&type);
    MPI_Type_contiguous(1, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(values[3] == 9);
    MPI_Type_free(&type);
    return end();
}
