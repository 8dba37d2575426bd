/* Every blocking collective operation, with each rank as root; MPI_IN_PLACE, and
 * v-variants where rank r gives r elements, so that rank 0 gives none. */
#include "count.h"

enum { MAX = 64 };
static int in[MAX * MAX], out[MAX * MAX], counts[MAX], starts[MAX], total;
#define W MPI_COMM_WORLD

static void fill(void)
{
    for (int i = 0; i < MAX; i++)
        out[i] = 100 * rank + i, in[i] = -1;
}

static void rooted(int root)
{
    int here = rank == root;
    fill();
    in[0] = here ? 7 + root : -1;
    COLLECTIVE(MPI_Bcast(in, 1, MPI_INT, root, W));
    CHECK(in[0] == 7 + root);

    fill();
    COLLECTIVE(MPI_Gather(out, 2, MPI_INT, in, 2, MPI_INT, root, W));
    CHECK(in[2 * (size - 1)] == (here ? 100 * (size - 1) : -1));
    COLLECTIVE(MPI_Gather(here ? MPI_IN_PLACE : out, 2, MPI_INT, in, 2, MPI_INT, root, W));
    COLLECTIVE(MPI_Gatherv(out, rank, MPI_INT, in, counts, starts, MPI_INT, root, W));
    CHECK(in[total - 1] == (here ? 100 * (size - 1) + size - 2 : -1));

    fill();
    COLLECTIVE(MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, root, W));
    CHECK(in[0] == 100 * root + rank);
    COLLECTIVE(MPI_Scatter(out, 1, MPI_INT, here ? MPI_IN_PLACE : in, 1, MPI_INT, root, W));
    COLLECTIVE(MPI_Scatterv(out, counts, starts, MPI_INT, in, rank, MPI_INT, root, W));
    CHECK(rank == 0 || in[0] == 100 * root + starts[rank]);

    fill();
    COLLECTIVE(MPI_Reduce(out, in, 3, MPI_INT, MPI_SUM, root, W));
    CHECK(in[1] == (here ? 50 * size * (size - 1) + size : -1));
    in[0] = rank;
    COLLECTIVE(MPI_Reduce(here ? MPI_IN_PLACE : in, in, 1, MPI_INT, MPI_MAX, root, W));
    CHECK(in[0] == (here ? size - 1 : rank));
}

static void all(void)
{
    fill();
    COLLECTIVE(MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, W));
    CHECK(in[size - 1] == 100 * (size - 1));
    COLLECTIVE(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, W));
    COLLECTIVE(MPI_Allgatherv(out, rank, MPI_INT, in, counts, starts, MPI_INT, W));
    CHECK(in[total - 1] == 100 * (size - 1) + size - 2);
    COLLECTIVE(MPI_Allreduce(out, in, 1, MPI_INT, MPI_SUM, W));
    CHECK(in[0] == 50 * size * (size - 1));
    COLLECTIVE(MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_MIN, W));
    COLLECTIVE(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, W));

    COLLECTIVE(MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, W));
    CHECK(in[size - 1] == 100 * (size - 1) + rank);
    COLLECTIVE(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, W));
    CHECK(in[size - 1] == out[size - 1]);

    /* Everybody sends r elements to rank r, so that rank 0 receives none. */
    int expected[MAX], places[MAX], byte_starts[MAX], byte_places[MAX];
    MPI_Datatype types[MAX];
    for (int i = 0; i < size; i++) {
        expected[i] = rank, places[i] = i * rank, types[i] = MPI_INT;
        byte_starts[i] = starts[i] * (int)sizeof(int), byte_places[i] = places[i] * (int)sizeof(int);
    }
    COLLECTIVE(MPI_Alltoallv(out, counts, starts, MPI_INT, in, expected, places, MPI_INT, W));
    CHECK(rank == 0 || in[places[size - 1]] == 100 * (size - 1) + starts[rank]);
    fill();
    COLLECTIVE(MPI_Alltoallw(out, counts, byte_starts, types, in, expected, byte_places, types, W));
    CHECK(rank == 0 || in[places[size - 1]] == 100 * (size - 1) + starts[rank]);
}

static void reduce_and_scan(void)
{
    fill();
    COLLECTIVE(MPI_Reduce_scatter_block(out, in, 1, MPI_INT, MPI_SUM, W));
    CHECK(in[0] == 50 * size * (size - 1) + size * rank);
    COLLECTIVE(MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, W));
    CHECK(rank == 0 || in[0] == 50 * size * (size - 1) + size * starts[rank]);
    COLLECTIVE(MPI_Scan(out, in, 1, MPI_INT, MPI_SUM, W));
    CHECK(in[0] == 50 * rank * (rank + 1));
    COLLECTIVE(MPI_Scan(MPI_IN_PLACE, in, 1, MPI_INT, MPI_MAX, W));
    COLLECTIVE(MPI_Exscan(out, in, 1, MPI_INT, MPI_SUM, W));
    CHECK(rank == 0 || in[0] == 50 * rank * (rank - 1));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    CHECK(2 <= size && size <= 8);
    for (int i = 0; i < size; total += counts[i++])
        counts[i] = i, starts[i] = total;
    COLLECTIVE(MPI_Barrier(W));
    for (int root = 0; root < size; root++)
        rooted(root);
    all();
    reduce_and_scan();
    COLLECTIVE(MPI_Barrier(MPI_COMM_SELF));
    print_counted();
    MPI_Finalize();
}
