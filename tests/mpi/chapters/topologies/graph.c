/* A graph that all know. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm graph;
    int index[2] = {1, 2}, edges[2] = {1, 0}, nodes, n, neighbor, got = -1;
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
    MPI_Graphdims_get(graph, &nodes, &n);
    expect(nodes == 2 && n == 2);
    MPI_Graph_neighbors_count(graph, rank, &n);
    MPI_Graph_neighbors(graph, rank, 1, &neighbor);
    expect(n == 1 && neighbor == !rank);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, graph);
    expect(got == !rank);
    MPI_Comm_free(&graph);
    return end();
}
