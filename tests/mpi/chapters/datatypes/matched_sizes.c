/* Types by size, and Fortran's by range. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Datatype type;
    double value = rank == 0 ? 1.5 : 0;
    int bytes;
    MPI_Type_match_size(MPI_TYPECLASS_REAL, sizeof(double), &type);
    MPI_Type_size(type, &bytes);
    expect(bytes == (int)sizeof(double));
    if (rank == 0)
        MPI_Send(&value, 1, type, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(value == 1.5);
    return end();
}
