/* Each has its part of a distributed array. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    int sizes[1] = {8}, how[1] = {MPI_DISTRIBUTE_CYCLIC}, each[1] = {MPI_DISTRIBUTE_DFLT_DARG};
    int grid[1] = {2}, all[8], mine[4], bytes;
    MPI_Datatype type;
    for (int k = 0; k < 8; k++)
        all[k] = k;
    MPI_Type_create_darray(2, rank, 1, sizes, how, each, grid, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &bytes);
    expect(bytes == 4 * (int)sizeof(int));
    MPI_Sendrecv(all, 1, type, rank, 1, mine, 4, MPI_INT, rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int k = 0; k < 4; k++)
        expect(mine[k] == 2 * k + rank);
    MPI_Type_free(&type);
    return end();
}
