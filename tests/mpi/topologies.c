/* Topologies of every kind and their duplicates, each with an operation among neighbours.
 * Prints of each rank of the world `beside NAME RANK:` and the ranks that it sends to there. */
#include "count.h"

static void tell(const char *name, MPI_Comm comm, int count, const int *destinations)
{
    enum { LENGTH = 60 };
    char line[LENGTH], all[8 * LENGTH];
    MPI_Comm_set_name(comm, name);
    int at = snprintf(line, LENGTH, "beside %s %d:", name, rank);
    for (int i = 0; i < count; i++)
        if (destinations[i] != MPI_PROC_NULL)
            at += snprintf(line + at, LENGTH - at, " %d", destinations[i]);
    COLLECTIVE(PMPI_Gather(line, LENGTH, MPI_CHAR, all, LENGTH, MPI_CHAR, 0, MPI_COMM_WORLD));
    for (int i = 0; rank == 0 && i < size; i++)
        puts(all + i * LENGTH);
}

/* Who sends to us gives its rank. */
static void meet(MPI_Comm comm, int count, const int *sources)
{
    int me, got[8];
    MPI_Comm_rank(comm, &me);
    COLLECTIVE(MPI_Neighbor_allgather(&me, 1, MPI_INT, got, 1, MPI_INT, comm));
    for (int i = 0; i < count; i++)
        CHECK(sources[i] == MPI_PROC_NULL || got[i] == sources[i]);
}

static void grid(const char *name, MPI_Comm comm, int dimensions)
{
    int beside[4];
    for (int i = 0; i < dimensions; i++)
        MPI_Cart_shift(comm, i, 1, &beside[2 * i], &beside[2 * i + 1]);
    tell(name, comm, 2 * dimensions, beside);
    meet(comm, 2 * dimensions, beside);
}

static void grids(void)
{
    int sizes[2] = {0, 0}, around[2] = {0, 1}, remain[2] = {0, 1};
    MPI_Comm cart, row, copy;
    MPI_Dims_create(size, 2, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, around, 0, &cart);
    grid("grid", cart, 2);
    MPI_Comm_dup(cart, &copy);
    grid("duplicate", copy, 2);
    MPI_Cart_sub(cart, remain, &row);
    grid("row", row, 1);
}

static void graphs(void)
{
    int ends[8], beside[2], count = 0, one = 1;
    MPI_Comm line, adjacent, sent, copy;
    MPI_Request request;
    /* A line of all. */
    for (int i = 0, edges = 0; i < size; i++)
        ends[i] = edges += (i > 0) + (i < size - 1);
    int edges[16], at = 0;
    for (int i = 0; i < size; i++) {
        if (i > 0)
            edges[at++] = i - 1;
        if (i < size - 1)
            edges[at++] = i + 1;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 0, &line);
    if (rank > 0)
        beside[count++] = left;
    if (rank < size - 1)
        beside[count++] = right;
    tell("line", line, count, beside);
    meet(line, count, beside);
    /* Everybody sends to the right, but the last. */
    int sources = rank > 0, destinations = rank < size - 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, &left, MPI_UNWEIGHTED, destinations, &right, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &adjacent);
    tell("adjacent", adjacent, destinations, &right);
    meet(adjacent, sources, &left);
    MPI_Comm_idup(adjacent, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    tell("copy", copy, destinations, &right);
    meet(copy, sources, &left);
    /* The same ring, told by those who receive. */
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &left, &one, &rank, &one, MPI_INFO_NULL, 0, &sent);
    tell("told", sent, 1, &right);
    meet(sent, 1, &left);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    grids();
    graphs();
    print_counted();
    MPI_Finalize();
}
