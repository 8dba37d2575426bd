/* Exchanges with the other, with oneself, and in place. archive: messages 6 */
#include "../chapter.h"

int main(void) {
    begin();
    int mine = rank, got = -1;
    MPI_Status status;
    MPI_Sendrecv(&mine, 1, MPI_INT, !rank, 1, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                 MPI_COMM_WORLD, &status);
    expect(got == !rank && status.MPI_SOURCE == !rank && status.MPI_TAG == 1);
    MPI_Sendrecv_replace(&mine, 1, MPI_INT, !rank, 2, !rank, 2, MPI_COMM_WORLD, &status);
    expect(mine == !rank);
    MPI_Sendrecv(&mine, 1, MPI_INT, 0, 3, &got, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    expect(got == mine);
    return end();
}
