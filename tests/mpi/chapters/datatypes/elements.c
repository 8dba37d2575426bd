/* Half of a type arrives: its count is undefined, its elements are not. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[4] = {1, 2, 3, 4}, count;
    MPI_Count large;
    MPI_Datatype pair;
    MPI_Status status;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0) {
        MPI_Send(values, 3, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(values, 2, pair, 0, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, pair, &count);
        expect(count == MPI_UNDEFINED);
        MPI_Get_elements(&status, pair, &count);
        expect(count == 3);
        MPI_Get_elements_x(&status, pair, &large);
        expect(large == 3);
    }
    MPI_Type_free(&pair);
    return end();
}
