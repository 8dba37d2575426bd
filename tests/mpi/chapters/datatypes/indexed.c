/* Blocks of several lengths, by elements and by bytes. archive: messages 3 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[10], got[10], lengths[2] = {1, 2}, places[2] = {0, 5};
    MPI_Aint bytes[2] = {0, 5 * sizeof(int)};
    MPI_Datatype types[3];
    for (int k = 0; k < 10; k++)
        values[k] = k;
    MPI_Type_indexed(2, lengths, places, MPI_INT, &types[0]);
    MPI_Type_create_hindexed(2, lengths, bytes, MPI_INT, &types[1]);
    MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &types[2]);
    for (int k = 0; k < 3; k++) {
        MPI_Status status;
        int count, elements = k < 2 ? 3 : 2;
        MPI_Type_commit(&types[k]);
        memset(got, 0, sizeof got);
        if (rank == 0) {
            MPI_Send(values, 1, types[k], 1, k, MPI_COMM_WORLD);
        } else {
            MPI_Recv(got, 1, types[k], 0, k, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, types[k], &count);
            expect(count == 1 && got[5] == 5 && got[6] == (k < 2 ? 6 : 0));
            MPI_Get_elements(&status, types[k], &count);
            expect(count == elements);
        }
        MPI_Type_free(&types[k]);
    }
    return end();
}
