/* A graph whose edges anybody tells: here all by rank 0. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm graph;
    int sources[2] = {0, 1}, degrees[2] = {1, 1}, targets[2] = {1, 0}, got = -1;
    int in, out, from, to, weight, weighted;
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 2 : 0, sources, degrees, targets,
                          MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    expect(in == 1 && out == 1);
    MPI_Dist_graph_neighbors(graph, 1, &from, &weight, 1, &to, &weight);
    expect(from == !rank && to == !rank);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, graph);
    expect(got == !rank);
    MPI_Comm_free(&graph);
    return end();
}
