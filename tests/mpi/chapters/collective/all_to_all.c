/* Everybody sends to everybody, in three forms. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int out[2] = {10 * rank, 10 * rank + 1}, in[2], one[2] = {1, 1}, place[2] = {0, 1};
    int bytes[2] = {0, sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    expect(in[0] == rank && in[1] == 10 + rank);
    memset(in, -1, sizeof in);
    MPI_Alltoallv(out, one, place, MPI_INT, in, one, place, MPI_INT, MPI_COMM_WORLD);
    expect(in[0] == rank && in[1] == 10 + rank);
    memset(in, -1, sizeof in);
    MPI_Alltoallw(out, one, bytes, types, in, one, bytes, types, MPI_COMM_WORLD);
    expect(in[0] == rank && in[1] == 10 + rank);
    return end();
}
