/* A grid, its neighbours and its rows. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm grid, row;
    int dims[2] = {0, 1}, periods[2] = {1, 0}, coords[2], from, to, got, kind, place, keep[2] = {0, 1};
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Topo_test(grid, &kind);
    expect(kind == MPI_CART && dims[0] == 2);
    MPI_Cart_coords(grid, rank, 2, coords);
    MPI_Cart_rank(grid, coords, &place);
    expect(place == rank);
    MPI_Cart_shift(grid, 0, 1, &from, &to);
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 1, &got, 1, MPI_INT, from, 1, grid, MPI_STATUS_IGNORE);
    expect(got == !rank);
    MPI_Cart_sub(grid, keep, &row);
    MPI_Barrier(row);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    return end();
}
