/* Nonblocking collectives alone, in one set with messages, completed by every form of wait and
 * test; persistent ones where MPI has them. Each rank completes 17 + 6 nonblocking ones, and
 * where MPI is 4.0 or later 4 more. */
#include "count.h"
#include <unistd.h>

enum { MOST = 16 };

static int in[2 * MOST], out[2 * MOST], counts[MOST], places[MOST];
static MPI_Datatype types[MOST];
static MPI_Comm world;

static void every_one(void)
{
    MPI_Request all[17];
    static int to[17][2 * MOST]; /* no operation may write where another reads or writes */
    MPI_Ibarrier(world, &all[0]);
    MPI_Ibcast(to[1], 2, MPI_INT, 0, world, &all[1]);
    MPI_Igather(in, 1, MPI_INT, to[2], 1, MPI_INT, 0, world, &all[2]);
    MPI_Igatherv(in, 1, MPI_INT, to[3], counts, places, MPI_INT, 0, world, &all[3]);
    MPI_Iscatter(in, 1, MPI_INT, to[4], 1, MPI_INT, 0, world, &all[4]);
    MPI_Iscatterv(in, counts, places, MPI_INT, to[5], 1, MPI_INT, 0, world, &all[5]);
    MPI_Iallgather(in, 1, MPI_INT, to[6], 1, MPI_INT, world, &all[6]);
    MPI_Iallgatherv(in, 1, MPI_INT, to[7], counts, places, MPI_INT, world, &all[7]);
    MPI_Ialltoall(in, 1, MPI_INT, to[8], 1, MPI_INT, world, &all[8]);
    MPI_Ialltoallv(in, counts, places, MPI_INT, to[9], counts, places, MPI_INT, world, &all[9]);
    static int bytes[MOST];
    for (int i = 0; i < size; i++)
        bytes[i] = places[i] * (int)sizeof(int);
    MPI_Ialltoallw(in, counts, bytes, types, to[10], counts, bytes, types, world, &all[10]);
    MPI_Iallreduce(in, to[11], 1, MPI_INT, MPI_SUM, world, &all[11]);
    MPI_Ireduce(in, to[12], 1, MPI_INT, MPI_SUM, 0, world, &all[12]);
    MPI_Ireduce_scatter(in, to[13], counts, MPI_INT, MPI_SUM, world, &all[13]);
    MPI_Ireduce_scatter_block(in, to[14], 1, MPI_INT, MPI_SUM, world, &all[14]);
    MPI_Iscan(in, to[15], 1, MPI_INT, MPI_SUM, world, &all[15]);
    MPI_Iexscan(in, to[16], 1, MPI_INT, MPI_SUM, world, &all[16]);
    MPI_Waitall(17, all, MPI_STATUSES_IGNORE);
    CHECK(to[11][0] == size * (size - 1) / 2);
}

/* A message among collectives: six of these, and six messages. */
static void mixed(void)
{
    for (int how = 0; how < 6; how++) {
        MPI_Request set[3];
        MPI_Status statuses[3];
        int got, sum, flag = 0, done = 0, index, some[3];
        MPI_Irecv(&got, 1, MPI_INT, left, how, world, &set[0]);
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world, &set[1]);
        MPI_Isend(&rank, 1, MPI_INT, right, how, world, &set[2]);
        count_sent(right, sizeof(int));
        count_received(left, sizeof(int));
        if (how == 0)
            MPI_Waitall(3, set, statuses);
        for (; how == 1 && !flag; usleep(100))
            MPI_Testall(3, set, &flag, MPI_STATUSES_IGNORE);
        for (int i = 0; how == 2 && i < 3; i++)
            MPI_Waitany(3, set, &index, MPI_STATUS_IGNORE);
        for (; how == 3 && done < 3; usleep(100)) {
            MPI_Testany(3, set, &index, &flag, MPI_STATUS_IGNORE);
            done += flag && index != MPI_UNDEFINED;
        }
        while (how == 4 && done < 3) {
            MPI_Waitsome(3, set, &index, some, statuses);
            done += index;
        }
        for (int i = 0; how == 5 && i < 3; i++)
            for (flag = 0; !flag; usleep(100))
                MPI_Test(&set[i], &flag, MPI_STATUS_IGNORE);
        CHECK(got == left && sum == size * (size - 1) / 2);
    }
}

/* Two operations, each started twice. */
static void persistent(void)
{
#if MPI_VERSION >= 4
    MPI_Request all[2];
    int sum;
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &all[0]);
    MPI_Bcast_init(out, 3, MPI_INT, 0, world, MPI_INFO_NULL, &all[1]);
    for (int i = 0; i < 2; i++) {
        sum = 0;
        MPI_Startall(2, all);
        MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
        CHECK(sum == size * (size - 1) / 2);
    }
    MPI_Request_free(&all[0]);
    MPI_Request_free(&all[1]);
#endif
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    world = MPI_COMM_WORLD;
    for (int i = 0; i < size; i++)
        counts[i] = 1, places[i] = i, types[i] = MPI_INT;
    for (int i = 0; i < 2 * MOST; i++)
        in[i] = rank;
    every_one();
    mixed();
    persistent();
    print_counted();
    MPI_Finalize();
}
