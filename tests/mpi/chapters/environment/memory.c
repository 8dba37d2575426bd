/* Memory of MPI's, and messages from it. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    int *values;
    MPI_Alloc_mem(100 * sizeof(int), MPI_INFO_NULL, &values);
    values[99] = rank;
    if (rank == 1)
        MPI_Send(values, 100, MPI_INT, 0, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(values, 100, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(values[99] == 1);
    MPI_Free_mem(values);
    return end();
}
