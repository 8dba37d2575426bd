/* A request is asked for its status, and stays what it is. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int value = rank == 0 ? 4 : 0, flag = 0, count;
    MPI_Request request;
    MPI_Status status;
    if (rank == 0)
        MPI_Isend(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    while (!flag)
        MPI_Request_get_status(request, &flag, &status);
    expect(request != MPI_REQUEST_NULL);
    MPI_Test(&request, &flag, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(flag && request == MPI_REQUEST_NULL && (rank == 0 || count == 1));
    return end();
}
