/* Operations among the neighbours of a grid that is open at its ends. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm grid;
    MPI_Request request;
    int dims[1] = {2}, periods[1] = {0}, in[2] = {-1, -1}, out[2] = {rank, rank + 10};
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, grid);
    expect(rank == 0 ? in[0] == -1 && in[1] == 1 : in[0] == 0 && in[1] == -1);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
    expect(rank == 0 ? in[1] == 1 : in[0] == 10);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(rank == 0 ? in[1] == 1 : in[0] == 10);
    MPI_Comm_free(&grid);
    return end();
}
