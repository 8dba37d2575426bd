/* Neighbours with types of their own. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm graph;
    int other = !rank, one = 1, out = rank, in = -1;
    MPI_Aint place = 0;
    MPI_Datatype type = MPI_INT;
    MPI_Request request;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_alltoallw(&out, &one, &place, &type, &in, &one, &place, &type, graph);
    expect(in == !rank);
    in = -1;
    MPI_Ineighbor_alltoallw(&out, &one, &place, &type, &in, &one, &place, &type, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(in == !rank);
    MPI_Comm_free(&graph);
    return end();
}
