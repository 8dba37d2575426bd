/* What every blocking collective moves, counted from the standard alone: a table from
 * whom to whom goes a block of which size. A member's own block counts like the others
 * unless MPI_IN_PLACE spares it. All happens in the world and in the world turned round,
 * and arguments that matter at the root alone are nonsense elsewhere (MPI 4.1, chapter 6). */
#include "count.h"

enum { MAX = 8, PAIR = 2 * sizeof(int) };
enum { BARRIER, BCAST, GATHER, GATHERV, SCATTER, SCATTERV, ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW,
       ALLREDUCE, REDUCE, REDUCE_SCATTER, SCAN, EXSCAN, REDUCE_SCATTER_BLOCK, OPERATIONS };
static const char *const names[OPERATIONS] = {
    "barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv",
    "alltoallw", "allreduce", "reduce", "reduce_scatter", "scan", "exscan", "reduce_scatter_block"};
static long moved[OPERATIONS][3]; /* bytes sent, bytes received, roots: of each call its root + 1 */
static int me, n, root; /* root is -1 where there is none */
static MPI_Comm comm;
static MPI_Datatype pair;

/* Bytes of the block that goes from one rank to another. */
typedef long block(int from, int to);
static long nothing(int from, int to) { return 0 * (from + to); }
static long everywhere(int from, int to) { return PAIR + 0 * (from + to); }
static long from_root(int from, int to) { return from == root ? PAIR + 0 * to : 0; }
static long to_root(int from, int to) { return to == root ? PAIR + 0 * from : 0; }
static long share_from_root(int from, int to) { return from == root ? to * PAIR : 0; }
static long share_to_root(int from, int to) { return to == root ? from * PAIR : 0; }
static long of_sender(int from, int to) { return from * PAIR + 0 * to; }
static long of_receiver(int from, int to) { return to * PAIR + 0 * from; }
static long of_both(int from, int to) { return (from + to) * PAIR; }
static long of_receivers_type(int from, int to) { return to * (to % 2 ? PAIR : 1) + 0 * from; }
static long upwards(int from, int to) { return from <= to ? PAIR : 0; }
static long strictly_upwards(int from, int to) { return from < to ? PAIR : 0; }

/* Counts a call, which made or is about to make the moves of `bytes`. */
static void moves(int operation, block *bytes, int own_spared)
{
    for (int other = 0; other < n; other++) {
        if (own_spared && other == me)
            continue;
        moved[operation][0] += bytes(me, other);
        moved[operation][1] += bytes(other, me);
    }
    moved[operation][2] += root + 1;
    counted[COLLECTIVES]++;
}

static int in[8 * MAX * MAX], out[8 * MAX * MAX];
static int shares[MAX], starts[MAX], mine[MAX], places[MAX], both[MAX], spread[MAX], bytes_apart[MAX];
static MPI_Datatype types[MAX], my_type[MAX];

static void lay_out(void)
{
    for (int i = 0; i < MAX; i++) {
        shares[i] = i, mine[i] = me, both[i] = me + i;
        starts[i] = places[i] = spread[i] = 2 * MAX * i, bytes_apart[i] = 8 * MAX * i;
        types[i] = i % 2 ? pair : MPI_BYTE, my_type[i] = me % 2 ? pair : MPI_BYTE;
    }
}

static void rooted(int in_place)
{
    int here = me == root, spared = in_place && here;
    int *counts = here ? shares : NULL, *where = here ? starts : NULL;
    MPI_Datatype type = here ? pair : MPI_DATATYPE_NULL;
    MPI_Bcast(out, here ? 2 : 1, here ? MPI_INT : pair, root, comm);
    moves(BCAST, from_root, 0);
    MPI_Gather(spared ? MPI_IN_PLACE : out, 2, MPI_INT, here ? in : NULL, here, type, root, comm);
    moves(GATHER, to_root, spared);
    MPI_Gatherv(spared ? MPI_IN_PLACE : out, 2 * me, MPI_INT, here ? in : NULL, counts, where, type, root, comm);
    moves(GATHERV, share_to_root, spared);
    MPI_Scatter(here ? out : NULL, here, type, spared ? MPI_IN_PLACE : in, 2, MPI_INT, root, comm);
    moves(SCATTER, from_root, spared);
    MPI_Scatterv(here ? out : NULL, counts, where, type, spared ? MPI_IN_PLACE : in, 2 * me, MPI_INT, root, comm);
    moves(SCATTERV, share_from_root, spared);
    MPI_Reduce(spared ? MPI_IN_PLACE : out, here ? in : NULL, 2, MPI_INT, MPI_SUM, root, comm);
    moves(REDUCE, to_root, spared);
}

static void unrooted(int in_place)
{
    void *from = in_place ? MPI_IN_PLACE : out;
    MPI_Allgather(from, 2, MPI_INT, in, 1, pair, comm);
    moves(ALLGATHER, everywhere, in_place);
    MPI_Allgatherv(from, 2 * me, MPI_INT, in, shares, starts, pair, comm);
    moves(ALLGATHERV, of_sender, in_place);
    MPI_Alltoall(from, 2, MPI_INT, in, 1, pair, comm);
    moves(ALLTOALL, everywhere, in_place);
    MPI_Allreduce(from, in, 2, MPI_INT, MPI_SUM, comm);
    moves(ALLREDUCE, everywhere, in_place);
    MPI_Reduce_scatter(from, in, (int[]){0, 2, 4, 6, 8, 10, 12, 14}, MPI_INT, MPI_SUM, comm);
    moves(REDUCE_SCATTER, of_receiver, in_place);
    MPI_Reduce_scatter_block(from, in, 2, MPI_INT, MPI_SUM, comm);
    moves(REDUCE_SCATTER_BLOCK, everywhere, in_place);
    MPI_Scan(from, in, 2, MPI_INT, MPI_SUM, comm);
    moves(SCAN, upwards, in_place);
    MPI_Exscan(from, in, 2, MPI_INT, MPI_SUM, comm);
    moves(EXSCAN, strictly_upwards, in_place);
    MPI_Alltoallv(from, both, spread, pair, in, both, spread, pair, comm);
    moves(ALLTOALLV, of_both, in_place);
}

static void in_communicator(void)
{
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    lay_out();
    root = -1;
    for (int in_place = 0; in_place <= 1; in_place++) {
        unrooted(in_place);
        for (root = 0; root < n; root++)
            rooted(in_place);
        root = -1;
    }
    MPI_Alltoallv(out, shares, starts, pair, in, mine, places, pair, comm);
    moves(ALLTOALLV, of_receiver, 0);
    MPI_Alltoallw(out, shares, bytes_apart, types, in, mine, bytes_apart, my_type, comm);
    moves(ALLTOALLW, of_receivers_type, 0);
    MPI_Barrier(comm);
    moves(BARRIER, nothing, 0);
}

/* The sums over all ranks; these sums and those of print_counted are collectives too. */
static void print_moved(void)
{
    long sum[OPERATIONS][3];
    if (!getenv("COUNT"))
        return;
    const long summed[] = {sizeof sum, COUNTS * sizeof(long)};
    for (int i = 0; i < 2; i++) {
        moved[REDUCE][0] += summed[i];
        moved[REDUCE][1] += rank == 0 ? size * summed[i] : 0;
        moved[REDUCE][2] += 1;
    }
    counted[COLLECTIVES]++;
    MPI_Reduce(moved, sum, OPERATIONS * 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; i < OPERATIONS && rank == 0; i++)
        printf("counted %s_sent=%ld %s_received=%ld %s_roots=%ld\n", names[i], sum[i][0], names[i], sum[i][1], names[i],
               sum[i][2]);
}

int main(int argc, char **argv)
{
    MPI_Comm turned;
    MPI_Init(&argc, &argv);
    look_around();
    CHECK(size <= MAX);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    comm = MPI_COMM_WORLD;
    in_communicator();
    comm = turned;
    in_communicator();
    MPI_Comm_free(&turned);
    MPI_Type_free(&pair);
    print_moved();
    print_counted();
    MPI_Finalize();
}
