/* Handles to Fortran's and back. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm world = MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD));
    MPI_Datatype type = MPI_Type_f2c(MPI_Type_c2f(MPI_INT));
    MPI_Request request;
    MPI_Status status;
    MPI_Fint words[64];
    int value = rank == 0 ? 2 : 0, count;
    expect(world == MPI_COMM_WORLD && type == MPI_INT);
    if (rank == 0)
        MPI_Isend(&value, 1, type, 1, 1, world, &request);
    else
        MPI_Irecv(&value, 1, type, 0, 1, world, &request);
    request = MPI_Request_f2c(MPI_Request_c2f(request));
    MPI_Wait(&request, &status);
    if (rank == 1) {
        MPI_Status_c2f(&status, words);
        memset(&status, 0, sizeof status);
        MPI_Status_f2c(words, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        expect(count == 1 && status.MPI_SOURCE == 0 && status.MPI_TAG == 1);
    }
    expect(value == 2);
    return end();
}
