/* A cloud of particles drifts along a channel, of which each rank has a part. A rank moves the
 * particles in its part and hands those that leave it to its neighbour. Every particle pushes
 * every other of the same part, so where the cloud is, there is the work: first one rank computes
 * longest, then the next, and the others wait for it in MPI_Allreduce.
 *
 *     cloud [particles = 3000] [steps = 100]
 *
 * Returns 1 if a particle was lost. COUNT=1: see heat.c. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES, BYTES, COLLECTIVES, COUNTS };
enum { LEFT, RIGHT };
typedef struct {
    double x, y, u, v; /* place and speed */
} Particle;
static const double BEGIN = 0.1, WAY = 0.8, WIDTH = 0.08, PUSH = 1e-9, NEAREST = 1e-4;
static int rank, size, all, mine, leaving[2];
static Particle *here, *gone[2];
static long counted[COUNTS], sum[COUNTS];

static double chance(void) { return (double)rand() / RAND_MAX; }

/* Every rank draws the whole cloud and keeps what lies in its part. */
static void draw(double low, double high)
{
    for (int i = 0; i < all; i++) {
        double x = BEGIN + WIDTH * (chance() + chance() + chance() - 1.5), y = chance();
        if (x >= low && x < high)
            here[mine++] = (Particle){x, y, 0, 0};
    }
}

static void push(void)
{
    for (int i = 0; i < mine; i++)
        for (int j = 0; j < i; j++) {
            double dx = here[i].x - here[j].x, dy = here[i].y - here[j].y;
            double by = PUSH / (dx * dx + dy * dy + NEAREST);
            here[i].u += by * dx, here[i].v += by * dy;
            here[j].u -= by * dx, here[j].v -= by * dy;
        }
}

/* Moves all particles, and puts those that leave the part aside. */
static void drift(double by, double low, double high)
{
    int left = mine;
    mine = leaving[LEFT] = leaving[RIGHT] = 0;
    for (int i = 0; i < left; i++) {
        Particle it = here[i];
        it.x += by + it.u, it.y += it.v;
        if (it.x < low && rank > 0)
            gone[LEFT][leaving[LEFT]++] = it;
        else if (it.x >= high && rank < size - 1)
            gone[RIGHT][leaving[RIGHT]++] = it;
        else
            here[mine++] = it;
    }
}

/* Sends what leaves to one side, and receives what comes from the other. */
static void hand_over(int side)
{
    int to = side == RIGHT ? rank + 1 : rank - 1, from = side == RIGHT ? rank - 1 : rank + 1;
    int n = leaving[side] * 4, got;
    to = to < 0 || to == size ? MPI_PROC_NULL : to;
    from = from < 0 || from == size ? MPI_PROC_NULL : from;
    MPI_Status status;
    MPI_Sendrecv(gone[side], n, MPI_DOUBLE, to, side, here + mine, 4 * (all - mine), MPI_DOUBLE, from, side, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &got);
    mine += from == MPI_PROC_NULL ? 0 : got / 4;
    counted[MESSAGES] += to != MPI_PROC_NULL;
    counted[BYTES] += to == MPI_PROC_NULL ? 0 : n * (long)sizeof(double);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int steps = argc > 2 ? atoi(argv[2]) : 100, there = 0;
    all = argc > 1 ? atoi(argv[1]) : 3000;
    double low = (double)rank / size, high = (rank + 1.0) / size;
    here = malloc(3 * (size_t)(all + 1) * sizeof(Particle));
    gone[LEFT] = here + all, gone[RIGHT] = gone[LEFT] + all;

    draw(rank == 0 ? -1 : low, rank == size - 1 ? 2 : high);
    for (int step = 0; step < steps; step++) {
        push();
        drift(WAY / steps, low, high);
        hand_over(LEFT);
        hand_over(RIGHT);
        MPI_Allreduce(&mine, &there, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        counted[COLLECTIVES]++;
    }
    if (rank == 0)
        printf("%d of %d particles are there after %d steps\n", there, all, steps);

    if (getenv("COUNT")) {
        counted[COLLECTIVES]++; /* this one */
        MPI_Reduce(counted, sum, COUNTS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("counted messages=%ld bytes=%ld collectives=%ld\n", sum[MESSAGES], sum[BYTES], sum[COLLECTIVES]);
    }
    free(here);
    MPI_Finalize();
    return steps > 0 && there != all;
}
