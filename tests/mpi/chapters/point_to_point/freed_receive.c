/* A receive whose request is freed takes its message: the next one gets the next. archive: messages 2, unmatched 1 */
#include "../chapter.h"

int main(void) {
    begin();
    static int first = 1, second = 2;
    if (rank == 1) {
        MPI_Request request;
        first = second = 0;
        MPI_Irecv(&first, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(&second, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(&first, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Ssend(&second, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    expect(first == 1 && second == 2);
    return end();
}
