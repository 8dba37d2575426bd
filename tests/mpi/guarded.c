/* Arrays of counts that end where readable memory does, of each length that the standard
 * gives them: in an intercommunicator that of the other group, for MPI_Reduce_scatter that
 * of the own one (MPI 4.1, chapter 6). Even ranks face odd ones, so of 3 ranks 2 face 1. */
#include "count.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int me, own, others, in[256], out[256];

/* Returns a copy of `bytes` bytes that end at a page nobody may read. */
static void *guarded(const void *data, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
    return memcpy(pages + page - bytes, data, bytes);
}

/* An array with one value `n` times. */
static int *all(int n, int value)
{
    int values[16];
    for (int i = 0; i < n; i++)
        values[i] = value;
    return guarded(values, (size_t)n * sizeof(int));
}

static MPI_Datatype *types(int n)
{
    MPI_Datatype values[16];
    for (int i = 0; i < n; i++)
        values[i] = MPI_INT;
    return guarded(values, (size_t)n * sizeof(MPI_Datatype));
}

/* All that takes an array of one entry for each of the `n` that data is exchanged with. */
static void collectives(MPI_Comm comm, int n, int receivers, int root, int is_root)
{
    int *ones = all(n, 1), *starts = all(n, 0);
    int *at_root = is_root ? ones : NULL, *starts_at_root = is_root ? starts : NULL;
    MPI_Allgatherv(out, 1, MPI_INT, in, ones, starts, MPI_INT, comm);
    MPI_Alltoallv(out, ones, starts, MPI_INT, in, ones, starts, MPI_INT, comm);
    MPI_Alltoallw(out, ones, starts, types(n), in, ones, starts, types(n), comm);
    MPI_Gatherv(out, 1, MPI_INT, in, at_root, starts_at_root, MPI_INT, root, comm);
    MPI_Scatterv(out, at_root, starts_at_root, MPI_INT, in, 1, MPI_INT, root, comm);
    int *shares = all(receivers, 12 / receivers); /* as many in all in each group */
    MPI_Reduce_scatter(out, in, shares, MPI_INT, MPI_SUM, comm);
    CHECK(in[12 / receivers - 1] == 0 && in[12 / receivers] == -1);
}

int main(int argc, char **argv)
{
    MPI_Comm half, across;
    MPI_Init(&argc, &argv);
    look_around();
    memset(in, -1, sizeof in);
    CHECK(2 <= size && size <= 4);
    collectives(MPI_COMM_WORLD, size, size, 0, rank == 0);
    counted[COLLECTIVES] += 6;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &across);
    MPI_Comm_rank(across, &me);
    MPI_Comm_size(across, &own);
    MPI_Comm_remote_size(across, &others);
    memset(in, -1, sizeof in);
    int root = rank % 2 ? 0 : me == 0 ? MPI_ROOT : MPI_PROC_NULL;
    collectives(across, others, own, root, root == MPI_ROOT);

    MPI_Comm_free(&across);
    MPI_Comm_free(&half);
    print_counted();
    MPI_Finalize();
}
