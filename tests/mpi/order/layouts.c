/* Data laid out with holes and out of order: received one of several, by collectives on the
 * halves of the world, by persistent requests and in parts. Each rank prints what it saw,
 * holes included. */
#include "saw.h"
#include <stddef.h>
#include <string.h>

struct cell {
    char kind; /* a hole follows */
    double value;
    short marks[3];
};

static MPI_Datatype cells, column, backwards;
static MPI_Comm half;

static void make_types(void)
{
    int lengths[3] = {1, 1, 3}, places[3] = {2, 1, 0};
    MPI_Aint at[3] = {offsetof(struct cell, kind), offsetof(struct cell, value), offsetof(struct cell, marks)};
    MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT}, cell;
    MPI_Type_create_struct(3, lengths, at, types, &cell);
    MPI_Type_create_resized(cell, 0, sizeof(struct cell), &cells);
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_create_indexed_block(3, 1, places, MPI_INT, &backwards);
    MPI_Type_commit(&cells);
    MPI_Type_commit(&column);
    MPI_Type_commit(&backwards);
    MPI_Type_free(&cell);
}

static void saw_bytes(const void *data, size_t length)
{
    for (size_t i = 0; i < length; i++)
        saw(((const unsigned char *)data)[i]);
}

/* Everybody sends cells to rank 0, which takes them as they come, some short of what fits. */
static void cells_from_all(void)
{
    struct cell own[4], from[16][4];
    MPI_Request requests[16];
    MPI_Status status;
    memset(own, rank, sizeof own);
    memset(from, 77, sizeof from);
    dawdle(2000);
    if (rank > 0)
        MPI_Send(own, 1 + rank % 4, cells, 0, 5, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Irecv(from[i], 4, cells, i, 5, MPI_COMM_WORLD, &requests[i - 1]);
    MPI_Type_free(&cells); /* while receives of it are active */
    for (int i = 1; rank == 0 && i < size; i++) {
        int index, count;
        MPI_Waitany(size - 1, requests, &index, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        saw(index);
        saw(count);
    }
    saw_bytes(from, sizeof from);
}

/* A column goes around each half, by the same two requests every time. */
static void columns_around(void)
{
    int own, all, grid[4][4] = {{0}};
    MPI_Request requests[2];
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &all);
    saw(own);
    saw(all);
    MPI_Send_init(&grid[0][1], 1, column, (own + 1) % all, 0, half, &requests[0]);
    MPI_Recv_init(&grid[0][2], 1, column, MPI_ANY_SOURCE, MPI_ANY_TAG, half, &requests[1]);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++)
            grid[i][1] = 100 * rank + 10 * round + i + grid[i][2];
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        saw_bytes(grid, sizeof grid);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void collectives(void)
{
    int in[3] = {rank, rank + 1, rank + 2}, out[64], counts[16], places[16], own;
    double sum, part = 1.0 / (3 + rank);
    MPI_Request request;
    MPI_Comm_rank(half, &own);
    memset(out, 55, sizeof out);
    MPI_Bcast(in, 1, backwards, 0, half);
    saw_bytes(in, sizeof in);
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, half);
    saw_bytes(&sum, sizeof sum);
    for (int i = 0; i < 16; i++) {
        counts[i] = 1 + i % 2;
        places[i] = 3 * i;
    }
    MPI_Iallgatherv(in, counts[own], MPI_INT, out, counts, places, MPI_INT, half, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    saw_bytes(out, sizeof out);
    MPI_Scan(MPI_IN_PLACE, &part, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    saw_bytes(&part, sizeof part);
}

/* Groups and grids, of which a process alone has none. */
static void questions(void)
{
    int dims[1] = {size}, ring = 1, place, ranks[2] = {0, size - 1}, others[2], length[3];
    MPI_Comm grid;
    MPI_Group all, few;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, &ring, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &others[0], &others[1]);
    MPI_Cart_get(grid, 1, &length[0], &length[1], &length[2]);
    saw_bytes(others, sizeof others);
    saw_bytes(length, sizeof length);
    MPI_Comm_group(half, &all);
    MPI_Comm_group(grid, &few);
    MPI_Group_translate_ranks(few, 2, ranks, all, others);
    MPI_Group_rank(all, &place);
    saw_bytes(others, sizeof others);
    saw(place);
    MPI_Group_free(&all);
    MPI_Group_free(&few);
    MPI_Comm_free(&grid);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    make_types();
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    cells_from_all();
    columns_around();
    collectives();
    questions();
    printf("rank %d saw %016llx\n", rank, (unsigned long long)seen);
    MPI_Comm_free(&half);
    MPI_Finalize();
}
