/* Operations on no data, and of one process. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int none[2] = {0, 0}, value = 5;
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gatherv(NULL, 0, MPI_INT, NULL, none, none, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    expect(value == 5);
    return end();
}
