/* An operation among neighbours that is started twice. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm ring;
    MPI_Request request;
    int dims[1] = {2}, periods[1] = {1}, in[2], out[2];
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, ring, MPI_INFO_NULL, &request);
    for (int round = 0; round < 2; round++) {
        out[0] = out[1] = 10 * round + rank;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(in[0] == 10 * round + !rank && in[1] == in[0]);
    }
    MPI_Request_free(&request);
    MPI_Comm_free(&ring);
    return end();
}
