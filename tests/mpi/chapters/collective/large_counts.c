/* Counts of type MPI_Count. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Count counts[2] = {1, 1};
    MPI_Aint places[2] = {1, 0};
    MPI_Request request;
    int value = rank == 0 ? 3 : 0, all[2], back[2] = {-1, -1}, sum;
    MPI_Bcast_c(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    expect(value == 3);
    MPI_Allgatherv_c(&rank, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    expect(all[1] == 0 && all[0] == 1);
    MPI_Iallreduce_c(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(sum == 1);
    MPI_Alltoallv_c(all, counts, places, MPI_INT, back, counts, places, MPI_INT, MPI_COMM_WORLD);
    expect(back[1] == rank && back[0] == rank);
    return end();
}
