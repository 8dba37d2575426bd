/* Sums that go to all, to parts and to prefixes. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[2] = {rank + 1, rank + 10}, got[2], counts[2] = {1, 1};
    MPI_Allreduce(values, got, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(got[0] == 3 && got[1] == 21);
    MPI_Reduce_scatter(values, got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(got[0] == (rank == 0 ? 3 : 21));
    MPI_Reduce_scatter_block(values, got, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect(got[0] == (rank == 0 ? 2 : 11));
    MPI_Scan(values, got, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(got[0] == (rank == 0 ? 1 : 3));
    MPI_Exscan(values, got, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(rank == 0 || got[0] == 1);
    return end();
}
