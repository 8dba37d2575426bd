/* Each has another count. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int counts[2] = {1, 3}, places[2] = {3, 0}, all[4] = {0}, mine[3], back[3] = {0};
    for (int k = 0; k < counts[rank]; k++)
        mine[k] = 10 * rank + k;
    MPI_Gatherv(mine, counts[rank], MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    expect(rank != 0 || (all[3] == 0 && all[0] == 10 && all[2] == 12));
    MPI_Scatterv(all, counts, places, MPI_INT, back, counts[rank], MPI_INT, 0, MPI_COMM_WORLD);
    expect(memcmp(back, mine, counts[rank] * sizeof(int)) == 0);
    memset(all, -1, sizeof all);
    MPI_Allgatherv(mine, counts[rank], MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    expect(all[3] == 0 && all[0] == 10 && all[2] == 12);
    return end();
}
