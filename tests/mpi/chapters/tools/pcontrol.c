/* Recording is switched off and on by all. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    for (int k = 0; k < 3; k++) {
        int got = -1;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Pcontrol(k != 1);
        if (rank == 0)
            MPI_Send(&k, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        else
            MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(rank == 0 || got == k);
    }
    return end();
}
