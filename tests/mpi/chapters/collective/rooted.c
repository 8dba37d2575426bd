/* Operations with a root, from each. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    for (int root = 0; root < size; root++) {
        int value = rank == root ? 42 : 0, all[2] = {-1, -1}, mine = 0, sum = -1;
        MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
        expect(value == 42);
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
        expect(rank != root || (all[0] == 0 && all[1] == 1));
        MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, root, MPI_COMM_WORLD);
        expect(mine == rank);
        MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        expect(sum == (rank == root ? 1 : -1));
    }
    return end();
}
