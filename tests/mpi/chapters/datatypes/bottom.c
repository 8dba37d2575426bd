/* Data by their addresses, from MPI_BOTTOM. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int one = rank == 0 ? 1 : 0;
    double two = rank == 0 ? 2 : 0;
    int lengths[2] = {1, 1};
    MPI_Aint places[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type;
    MPI_Get_address(&one, &places[0]);
    MPI_Get_address(&two, &places[1]);
    expect(MPI_Aint_add(places[0], MPI_Aint_diff(places[1], places[0])) == places[1]);
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Send(MPI_BOTTOM, 1, type, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(MPI_BOTTOM, 1, type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(one == 1 && two == 2);
    MPI_Type_free(&type);
    return end();
}
