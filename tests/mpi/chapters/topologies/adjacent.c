/* A graph of which each names its neighbours, with counts of each. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm graph;
    int all[2] = {0, 1}, weights[2] = {1, 2}, in, out, weighted, counts[2] = {1, 2}, places[2] = {0, 1};
    int back[2] = {rank + 1, rank + 1}, from[2] = {0, 2}, got[4] = {-1, -1, -1, -1}, data[3] = {1, 2, 3};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, all, weights, 2, all, weights, MPI_INFO_NULL,
                                   0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    expect(in == 2 && out == 2 && weighted);
    for (int k = 0; k < 3; k++)
        data[k] += 10 * rank;
    MPI_Neighbor_alltoallv(data, counts, places, MPI_INT, got, back, from, MPI_INT, graph);
    expect(got[0] == 1 + rank && got[from[1]] == 11 + rank);
    MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, got, (int[]){1, 1}, (int[]){1, 0}, MPI_INT, graph);
    expect(got[1] == 0 && got[0] == 1);
    MPI_Comm_free(&graph);
    return end();
}
