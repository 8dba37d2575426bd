/* Collectives among neighbours: on a ring and on a directed graph, blocking and nonblocking,
 * and persistent where there is MPI 4.0.
 * Prints the bytes of the blocking ones beside what the others print. */
#include "count.h"

enum { INT = sizeof(int) };

static long gathered[2], gathered_v[2], exchanged[2], exchanged_v[2], exchanged_w[2]; /* sent, received */

static void add(long *sums, long sent, long received)
{
    sums[0] += sent;
    sums[1] += received;
}

/* All operations among `sources` that send to us and `destinations` that we send to. */
static void exchange(MPI_Comm comm, int sources, int destinations)
{
    int in[4] = {rank, rank, rank, rank}, out[4] = {-1, -1, -1, -1};
    int counts[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
    MPI_Aint bytes[4] = {0, INT, 2 * INT, 3 * INT};
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Request request;
    COLLECTIVE(MPI_Neighbor_allgather(in, 2, MPI_INT, out, 2, MPI_INT, comm));
    add(gathered, 2L * INT * destinations, 2L * INT * sources);
    COLLECTIVE(MPI_Neighbor_allgatherv(in, 1, MPI_INT, out, counts, places, MPI_INT, comm));
    add(gathered_v, 1L * INT * destinations, 1L * INT * sources);
    COLLECTIVE(MPI_Neighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm));
    add(exchanged, 1L * INT * destinations, 1L * INT * sources);
    COLLECTIVE(MPI_Neighbor_alltoallv(in, counts, places, MPI_INT, out, counts, places, MPI_INT, comm));
    add(exchanged_v, 1L * INT * destinations, 1L * INT * sources);
    COLLECTIVE(MPI_Neighbor_alltoallw(in, counts, bytes, types, out, counts, bytes, types, comm));
    add(exchanged_w, 1L * INT * destinations, 1L * INT * sources);
    CHECK(sources == 0 || out[0] == left);
    MPI_Ineighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ineighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
    int other[4] = {-1, -1, -1, -1};
    MPI_Request all[2];
    MPI_Neighbor_allgather_init(in, 1, MPI_INT, out, 1, MPI_INT, comm, MPI_INFO_NULL, &all[0]);
    MPI_Neighbor_alltoallv_init(in, counts, places, MPI_INT, other, counts, places, MPI_INT, comm, MPI_INFO_NULL,
                                &all[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, all);
        MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
        CHECK(sources == 0 || (out[0] == left && other[0] == left));
    }
    MPI_Request_free(&all[0]);
    MPI_Request_free(&all[1]);
#endif
}

int main(int argc, char **argv)
{
    const char *names[] = {"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"};
    long *sums[] = {gathered, gathered_v, exchanged, exchanged_v, exchanged_w}, all[2];
    int ring = 1;
    MPI_Comm cart, graph;
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &ring, 0, &cart);
    exchange(cart, 2, 2);
    /* Everybody sends to the right, but the last. */
    int sources = rank > 0, destinations = rank < size - 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, &left, MPI_UNWEIGHTED, destinations, &right, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    exchange(graph, sources, destinations);
    for (int i = 0; i < 5; i++) {
        COLLECTIVE(PMPI_Reduce(sums[i], all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD));
        if (rank == 0)
            printf("counted %s_sent=%ld %s_received=%ld\n", names[i], all[0], names[i], all[1]);
    }
    print_counted();
    MPI_Finalize();
}
