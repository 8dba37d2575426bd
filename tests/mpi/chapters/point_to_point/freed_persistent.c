/* A persistent send is freed while it is active. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    static int value = 4;
    int got[2] = {0};
    if (rank == 0) {
        MPI_Request request;
        MPI_Send_init(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Start(&request);
        MPI_Request_free(&request);
    } else {
        MPI_Recv(&got[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(got[0] == 4 && got[1] == 4);
    }
    return end();
}
