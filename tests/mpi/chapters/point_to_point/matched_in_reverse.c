/* Two messages are matched, and received in the other order. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[2] = {1, 2}, got[2] = {0};
    if (rank == 0) {
        MPI_Send(&values[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&values[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Message first, second;
        MPI_Mprobe(0, 1, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
        MPI_Mrecv(&got[1], 1, MPI_INT, &second, MPI_STATUS_IGNORE);
        MPI_Mrecv(&got[0], 1, MPI_INT, &first, MPI_STATUS_IGNORE);
        expect(got[0] == 1 && got[1] == 2);
        expect(first == MPI_MESSAGE_NULL && second == MPI_MESSAGE_NULL);
    }
    return end();
}
