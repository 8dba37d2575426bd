/* A type of more than 2 GiB, of which nothing is sent. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Datatype type;
    MPI_Count bytes, integers, addresses, large, types;
    int how;
    MPI_Type_contiguous_c((MPI_Count)3 << 30, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Type_size_c(type, &bytes);
    expect(bytes == (MPI_Count)3 << 30);
    MPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &how);
    expect(how == MPI_COMBINER_CONTIGUOUS);
    if (rank == 0)
        MPI_Send_c(NULL, 0, type, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv_c(NULL, 0, type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    return end();
}
