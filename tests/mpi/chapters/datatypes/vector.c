/* A column of a matrix. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int matrix[4][4], column[4] = {0};
    MPI_Datatype type;
    for (int k = 0; k < 16; k++)
        matrix[k / 4][k % 4] = k;
    MPI_Type_vector(4, 1, 4, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Send(&matrix[0][1], 1, type, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(column, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 4 && rank == 1; k++)
        expect(column[k] == 4 * k + 1);
    MPI_Type_free(&type);
    expect(type == MPI_DATATYPE_NULL);
    return end();
}
