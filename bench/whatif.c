/* Ten programs, each as it is and with one change really made: what `bench/whatif.py` predicts of
 * the first is compared with the second. `whatif CASE compute|sleep [changed]`; two ranks; prints
 * the seconds from the first barrier to the end. Whoever sleeps does not need a processor, so that
 * a busy machine disturbs it less. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 1 << 20 };

static int rank, changed, sleeps;
static MPI_Comm all = MPI_COMM_WORLD;
static char here[LARGE], there[LARGE];
static volatile double sink;

/* Computes, or sleeps, for so many times some ms. */
static void compute(double ms)
{
    if (sleeps) {
        usleep(ms * 4000);
        return;
    }
    double x = 1;
    for (long step = 0; step < ms * 250000; step++)
        x = x * 0.999999 + 1e-9;
    sink = x;
}

static double sum(double x)
{
    double total;
    MPI_Allreduce(&x, &total, 1, MPI_DOUBLE, MPI_SUM, all); /* SUM */
    return total;
}

/* Both exchange their borders without blocking. */
static void exchange(int bytes)
{
    MPI_Request both[2];
    MPI_Irecv(there, bytes, MPI_CHAR, 1 - rank, 0, all, &both[0]);
    MPI_Isend(here, bytes, MPI_CHAR, 1 - rank, 0, all, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void uneven(void)
{
    for (int round = 0; round < 40; round++) {
        compute(changed ? 15 : rank == 0 ? 20 : 10);
        sum(1);
    }
}

static void wandering(void)
{
    for (int round = 0; round < 40; round++) {
        compute(changed ? 15 : (round + rank) % 2 ? 20 : 10);
        sum(1);
    }
}

static void halo(void)
{
    for (int round = 0; round < 60; round++) {
        compute(rank == 0 ? (changed ? 6 : 12) : 8); /* BOTH */
        exchange(8192);
    }
}

static void handed_on(void)
{
    for (int round = 0; round < 30; round++) {
        if (rank == 0) {
            compute(changed ? 6 : 20);
            MPI_Send(here, 1000, MPI_CHAR, 1, 0, all); /* HAND */
        } else {
            compute(10);
            MPI_Recv(there, 1000, MPI_CHAR, 0, 0, all, MPI_STATUS_IGNORE);
        }
    }
    sum(1);
}

static void root_first(void)
{
    for (int round = 0; round < 30; round++) {
        if (rank == 0)
            compute(changed ? 4 : 16);
        MPI_Bcast(here, 1000, MPI_CHAR, 0, all); /* GIVE */
        compute(8);
        MPI_Reduce(here, there, 100, MPI_CHAR, MPI_MAX, 0, all); /* TAKE */
    }
}

static void needless(void)
{
    for (int round = 0; round < 40; round++) {
        compute((round / 2 + rank) % 2 ? 20 : 5);
        if (!changed)
            MPI_Barrier(all); /* NEEDLESS */
    }
    sum(1);
}

static void slower(void)
{
    for (int round = 0; round < 30; round++) {
        compute((changed ? 2 : 1) * (rank == 0 ? 12 : 8));
        exchange(LARGE);
        sum(1);
    }
}

static void late_receiver(void)
{
    for (int round = 0; round < 30; round++) {
        if (rank == 0) {
            compute(5);
            MPI_Send(here, LARGE, MPI_CHAR, 1, 0, all);
        } else {
            compute(changed ? 8 : 20);
            MPI_Recv(there, LARGE, MPI_CHAR, 0, 0, all, MPI_STATUS_IGNORE); /* LATE */
        }
    }
    sum(1);
}

static void growing(void)
{
    for (int round = 0; round < 40; round++) {
        compute((rank == 0 ? round : 20) * (changed && rank == 0 ? 0.5 : 1) + 1);
        exchange(64);
    }
}

static void overlap(void)
{
    for (int round = 0; round < 40; round++) {
        MPI_Request both[2];
        MPI_Irecv(there, 8192, MPI_CHAR, 1 - rank, 0, all, &both[0]);
        MPI_Isend(here, 8192, MPI_CHAR, 1 - rank, 0, all, &both[1]); /* POST */
        compute(rank == 0 ? 16 : changed ? 6 : 12);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE); /* DONE */
        compute(rank == 0 ? 4 : 12);
        sum(1);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"uneven", uneven},       {"wandering", wandering},         {"halo", halo},
    {"handed_on", handed_on}, {"root_first", root_first},       {"needless", needless},
    {"slower", slower},       {"late_receiver", late_receiver}, {"growing", growing},
    {"overlap", overlap},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(all, &rank);
    sleeps = argc > 2 && strcmp(argv[2], "sleep") == 0;
    changed = argc > 3;
    MPI_Barrier(all);
    double begin = MPI_Wtime();
    for (unsigned at = 0; argc > 1 && at < sizeof cases / sizeof *cases; at++)
        if (strcmp(cases[at].name, argv[1]) == 0)
            cases[at].run();
    MPI_Barrier(all);
    if (rank == 0)
        printf("%.6f\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
