/* A message in each mode of a blocking send. archive: messages 5 */
#include "../chapter.h"

int main(void) {
    begin();
    int value = 7;
    if (rank == 0) {
        static char room[1000 + MPI_BSEND_OVERHEAD];
        void *detached;
        int bytes;
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Buffer_attach(room, sizeof room);
        MPI_Bsend(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Rsend(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        MPI_Buffer_detach(&detached, &bytes);
        expect(detached == room && bytes == (int)sizeof room);
    } else {
        int got[4];
        MPI_Request request;
        for (int k = 0; k < 3; k++)
            MPI_Recv(&got[k], 1, MPI_INT, 0, k + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(&got[3], 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
        MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int k = 0; k < 4; k++)
            expect(got[k] == 7);
    }
    return end();
}
