/* A column of a matrix and a row of it have one signature, though not one datatype.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    double matrix[4][4] = {{0}};
    MPI_Datatype column;
    begin(3);
    MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Recv(matrix[0], 4, MPI_DOUBLE, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* RACE: order */
        MPI_Recv(&matrix[0][1], 1, column, MPI_ANY_SOURCE, 0, WORLD, IGNORE); /* NONE */
    } else if (rank == 1) {
        MPI_Send(matrix, 1, column, 0, 0, WORLD);
    } else {
        MPI_Send(matrix, 4, MPI_DOUBLE, 0, 0, WORLD);
    }
    MPI_Type_free(&column);
    MPI_Finalize();
}
