/* A poll that matches, and a nonblocking receive of what it matched. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int value = 6, got = 0;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Message message;
        MPI_Request request;
        MPI_Status status;
        int flag = 0, count;
        while (!flag)
            MPI_Improbe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &message, &status);
        MPI_Imrecv(&got, 1, MPI_INT, &message, &request);
        MPI_Wait(&request, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        expect(got == 6 && count == 1 && message == MPI_MESSAGE_NULL);
    }
    return end();
}
