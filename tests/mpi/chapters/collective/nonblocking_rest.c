/* The other nonblocking operations. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Request requests[9];
    int one[2] = {1, 1}, place[2] = {0, 1}, bytes[2] = {0, 4}, out[2] = {rank, rank + 10};
    int in[9][2];
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Igather(out, 1, MPI_INT, in[0], 1, MPI_INT, 0, world, &requests[0]);
    MPI_Iscatter(out, 1, MPI_INT, in[1], 1, MPI_INT, 1, world, &requests[1]);
    MPI_Igatherv(out, 1, MPI_INT, in[2], one, place, MPI_INT, 0, world, &requests[2]);
    MPI_Ialltoall(out, 1, MPI_INT, in[3], 1, MPI_INT, world, &requests[3]);
    MPI_Ialltoallv(out, one, place, MPI_INT, in[4], one, place, MPI_INT, world, &requests[4]);
    MPI_Ialltoallw(out, one, bytes, types, in[5], one, bytes, types, world, &requests[5]);
    MPI_Ireduce(out, in[6], 2, MPI_INT, MPI_SUM, 0, world, &requests[6]);
    MPI_Ireduce_scatter_block(out, in[7], 1, MPI_INT, MPI_SUM, world, &requests[7]);
    MPI_Iexscan(out, in[8], 1, MPI_INT, MPI_SUM, world, &requests[8]);
    MPI_Waitall(9, requests, MPI_STATUSES_IGNORE);
    expect(in[1][0] == 1 + 10 * rank && in[3][1] == 1 + 10 * rank && in[4][0] == 10 * rank);
    expect(in[5][1] == 1 + 10 * rank && in[7][0] == 1 + 20 * rank);
    expect(rank == 1 || (in[0][1] == 1 && in[2][1] == 1 && in[6][1] == 21));
    return end();
}
