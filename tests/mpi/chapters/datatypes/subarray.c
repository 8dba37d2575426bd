/* The inner part of a field, in C's order. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    double field[6][6];
    int sizes[2] = {6, 6}, inner[2] = {4, 4}, starts[2] = {1, 1};
    MPI_Datatype type;
    for (int k = 0; k < 36; k++)
        field[k / 6][k % 6] = rank == 0 ? k : -1;
    MPI_Type_create_subarray(2, sizes, inner, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Send(field, 1, type, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(field, 1, type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(field[1][1] == 7 && field[4][4] == 28);
    expect(rank == 0 || (field[0][1] == -1 && field[5][5] == -1));
    MPI_Type_free(&type);
    return end();
}
