/* Operations that are made once and started three times. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Request requests[3];
    int value, sum, mine = 0;
    MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
    for (int round = 0; round < 3; round++) {
        value = rank == 0 ? round : -1;
        mine = rank + round;
        MPI_Startall(3, requests);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        expect(value == round && sum == 2 * round + 1);
    }
    for (int k = 0; k < 3; k++)
        MPI_Request_free(&requests[k]);
    return end();
}
