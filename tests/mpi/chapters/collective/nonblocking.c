/* Several operations under way at once, completed in another order. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Request requests[5];
    int value = rank == 0 ? 4 : 0, sum, all[2], mine = rank, scan;
    MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    MPI_Iallgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[3]);
    MPI_Iscan(&mine, &scan, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[4]);
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    int flag = 0;
    while (!flag)
        MPI_Testall(5, requests, &flag, MPI_STATUSES_IGNORE);
    expect(value == 4 && sum == 1 && all[1] == 1 && scan == rank);
    return end();
}
