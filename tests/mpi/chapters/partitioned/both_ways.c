/* Each sends and receives in parts, with tests. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    int out[2] = {rank, rank + 10}, in[2] = {-1, -1}, flag = 0;
    MPI_Request requests[2];
    MPI_Psend_init(out, 2, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 2, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Pready_range(0, 1, requests[0]);
    while (!flag)
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    expect(in[0] == !rank && in[1] == !rank + 10);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return end();
}
