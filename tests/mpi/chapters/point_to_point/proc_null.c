/* Nobody sends and receives: nothing is told, and nothing waits. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int value = 9, count, flag, none = MPI_PROC_NULL;
    MPI_Status status;
    MPI_Request requests[2];
    MPI_Message message;
    MPI_Send(&value, 1, MPI_INT, none, 1, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, none, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(status.MPI_SOURCE == none && status.MPI_TAG == MPI_ANY_TAG && count == 0);
    MPI_Isend(&value, 1, MPI_INT, none, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&value, 1, MPI_INT, none, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Send_init(&value, 1, MPI_INT, none, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&value, 1, MPI_INT, none, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Iprobe(none, 1, MPI_COMM_WORLD, &flag, &status);
    expect(flag && status.MPI_SOURCE == none);
    MPI_Mprobe(none, 1, MPI_COMM_WORLD, &message, &status);
    expect(message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
    expect(message == MPI_MESSAGE_NULL && value == 9);
    return end();
}
