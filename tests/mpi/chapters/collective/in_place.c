/* Operations in place. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int all[2] = {-1, -1}, sum = rank + 1;
    all[rank] = rank;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    expect(all[0] == 0 && all[1] == 1);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum == 3);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &sum, rank == 0 ? &sum : NULL, 1, MPI_INT, MPI_SUM, 0,
               MPI_COMM_WORLD);
    expect(sum == (rank == 0 ? 6 : 3));
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    expect(all[0] == rank && all[1] == rank);
    if (rank == 0)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(&rank, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    expect(rank == 1 || (all[0] == 0 && all[1] == 1));
    return end();
}
