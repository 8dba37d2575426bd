/* Counts of type MPI_Count in all that sends and receives. archive: messages 7 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Count one = 1, count;
    int value = 3, got[7] = {0};
    MPI_Request requests[3];
    MPI_Status status;
    if (rank == 0) {
        MPI_Send_c(&value, one, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Ssend_c(&value, one, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Isend_c(&value, one, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Issend_c(&value, one, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[1]);
        MPI_Send_init_c(&value, one, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[2]);
        MPI_Start(&requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        MPI_Request_free(&requests[2]);
        MPI_Sendrecv_c(&value, one, MPI_INT, 1, 5, got, one, MPI_INT, 1, 5, MPI_COMM_WORLD, &status);
    } else {
        MPI_Message message;
        MPI_Recv_c(&got[0], one, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count_c(&status, MPI_INT, &count);
        expect(count == 1);
        MPI_Irecv_c(&got[1], one, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Recv_init_c(&got[2], one, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Start(&requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Request_free(&requests[1]);
        MPI_Mprobe(0, 3, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv_c(&got[3], one, MPI_INT, &message, &status);
        MPI_Mprobe(0, 4, MPI_COMM_WORLD, &message, &status);
        MPI_Imrecv_c(&got[4], one, MPI_INT, &message, &requests[0]);
        MPI_Wait(&requests[0], &status);
        MPI_Sendrecv_c(&value, one, MPI_INT, 0, 5, &got[5], one, MPI_INT, 0, 5, MPI_COMM_WORLD,
                       &status);
        for (int k = 0; k < 6; k++)
            expect(got[k] == 3);
    }
    return end();
}
