/* A poll until a message is there. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    double value = 2.5, got = 0;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Status status;
        int flag = 0;
        while (!flag)
            MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
        MPI_Recv(&got, 1, MPI_DOUBLE, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(got == 2.5);
    }
    return end();
}
