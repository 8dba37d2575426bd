/* Two models on disjoint ranks, coupled as in Metatrace (pollutants in groundwater): the
 * first half of the ranks computes the flow of the water, the second half tracks
 * particles in it, one step behind.
 *
 *     coupled [points per side = 64] [steps = 20] [particles per rank = 2000]
 *
 * The head of the water obeys Laplace's equation in a square; its edges are held at
 * a (x^2 - y^2), with a changing from step to step. So the head is just that inside as
 * well, the water turns a corner, and a particle's path is known: x shrinks as y grows.
 * Returns 1 if a particle is elsewhere. COUNT=1: see examples/heat.c. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLOW, TRACKING, SUBSTEPS = 10 };
enum { MESSAGES, BYTES, COLLECTIVES, COUNTS };
static const double STEP = 0.02, TOLERANCE = 1e-10;
static int side, rank, size, others, points, steps, particles;
static MPI_Comm own, between; /* those of the same model; the other model's ranks */
static long counted[COUNTS], sum[COUNTS];

static double strength(int step) { return 1 + 0.5 * sin(step); }
static int first_row(int flow_rank, int flow_ranks) { return points * flow_rank / flow_ranks; }

static void count_message(int elements)
{
    counted[MESSAGES]++;
    counted[BYTES] += elements * (long)sizeof(double);
}

static double sum_over_own(double value, MPI_Op operation)
{
    double result;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, operation, own);
    counted[COLLECTIVES]++;
    return result;
}

/* Exchanges the outermost rows of the band with the ranks above and below. */
static void exchange_halos(double *band, int rows)
{
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(band + points, points, MPI_DOUBLE, up, 0, band + (rows + 1) * points, points, MPI_DOUBLE, down, 0,
                 own, MPI_STATUS_IGNORE);
    MPI_Sendrecv(band + rows * points, points, MPI_DOUBLE, down, 1, band, points, MPI_DOUBLE, up, 1, own,
                 MPI_STATUS_IGNORE);
    for (int neighbours = (rank > 0) + (rank < size - 1); neighbours > 0; neighbours--)
        count_message(points);
}

/* One sweep of successive over-relaxation, red points and then black; returns the largest change. */
static double relax(double *band, int rows, int first, double omega)
{
    double change = 0;
    for (int colour = 0; colour < 2; colour++) {
        exchange_halos(band, rows);
        for (int row = 1; row <= rows; row++) {
            int i = first + row - 1;
            for (int j = 1 + (i + colour) % 2; j < points - 1 && i > 0 && i < points - 1; j += 2) {
                double *p = band + row * points + j;
                double step = omega * (0.25 * (p[-points] + p[points] + p[-1] + p[1]) - *p);
                *p += step, change = fmax(change, fabs(step));
            }
        }
    }
    return change;
}

static void flow(void)
{
    int first = first_row(rank, size), rows = first_row(rank + 1, size) - first;
    double h = 1.0 / (points - 1), omega = 2 / (1 + sin(acos(-1) * h)), mean_x;
    double *band = calloc((size_t)(rows + 2) * points, sizeof(double)), *out = calloc((size_t)rows * points + 1, sizeof(double));
    MPI_Request *sends = malloc(others * sizeof(MPI_Request));
    for (int t = 0; t < others; t++)
        sends[t] = MPI_REQUEST_NULL;
    for (int step = 0; step < steps; step++) {
        for (int row = 1; row <= rows; row++) /* edges of the square only: whole rows, or both ends */
            for (int i = first + row - 1, j = 0; j < points; j += i % (points - 1) ? points - 1 : 1)
                band[row * points + j] = strength(step) * (j * h * j * h - i * h * i * h);
        int sweeps = 0;
        for (double change = 1; change > TOLERANCE; sweeps += 10) {
            for (int sweep = 0; sweep < 10; sweep++)
                change = relax(band, rows, first, omega);
            change = sum_over_own(change, MPI_MAX);
        }
        MPI_Waitall(others, sends, MPI_STATUSES_IGNORE);
        for (int i = 0; i < rows * points; i++)
            out[i] = band[points + i];
        for (int t = 0; t < others; t++) {
            MPI_Isend(out, rows * points, MPI_DOUBLE, t, step, between, &sends[t]);
            count_message(rows * points);
        }
        MPI_Bcast(&mean_x, 1, MPI_DOUBLE, 0, between); /* from the trackers' first rank */
        if (rank == 0 && step % 5 == 4)
            printf("step %3d: particles at %.6f when the flow was found\n", step + 1, mean_x);
        MPI_Barrier(own);
        counted[COLLECTIVES] += 2;
    }
    MPI_Waitall(others, sends, MPI_STATUSES_IGNORE);
    free(band), free(out), free(sends);
}

/* The water's speed at (x, y), bilinear between the points; it follows the falling head. */
static void speed(const double *head, double x, double y, double *v)
{
    double h = 1.0 / (points - 1);
    int j = fmin(fmax(x / h, 1), points - 3), i = fmin(fmax(y / h, 1), points - 3);
    v[0] = v[1] = 0;
    for (int corner = 0; corner < 4; corner++) {
        int right = corner % 2, above = corner / 2;
        double s = x / h - j, t = y / h - i, weight = (right ? s : 1 - s) * (above ? t : 1 - t);
        const double *p = head + (i + above) * points + j + right;
        v[0] -= weight * (p[1] - p[-1]) / (2 * h);
        v[1] -= weight * (p[points] - p[-points]) / (2 * h);
    }
}

/* Runge and Kutta's method of second order. */
static void track(const double *head, double *position)
{
    double v[2], dt = STEP / SUBSTEPS;
    for (int substep = 0; substep < SUBSTEPS; substep++) {
        speed(head, position[0], position[1], v);
        speed(head, position[0] + dt / 2 * v[0], position[1] + dt / 2 * v[1], v);
        position[0] += dt * v[0], position[1] += dt * v[1];
    }
}

/* Returns how many of this rank's particles are not where they should be. */
static int tracking(void)
{
    int all = particles * size, wrong = 0;
    double *head = calloc((size_t)points * points, sizeof(double)), *position = malloc(2 * sizeof(double) * (particles + 1));
    double stretch = 0;
    for (int p = 0; p < particles; p++) { /* in a strip near the lower edge */
        int number = p * size + rank;
        position[2 * p] = 0.3 + 0.6 * number / all, position[2 * p + 1] = 0.05 + 0.1 * (number % 7) / 7;
    }
    for (int step = 0; step < steps; step++) {
        for (int f = 0; f < others; f++) {
            int first = first_row(f, others), rows = first_row(f + 1, others) - first;
            MPI_Recv(head + first * points, rows * points, MPI_DOUBLE, f, step, between, MPI_STATUS_IGNORE);
        }
        double total = 0;
        for (int p = 0; p < particles; p++)
            total += position[2 * p];
        double mean_x = sum_over_own(total, MPI_SUM) / all;
        MPI_Bcast(&mean_x, 1, MPI_DOUBLE, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
        for (int p = 0; p < particles; p++)
            track(head, position + 2 * p);
        stretch += 2 * strength(step) * STEP;
        MPI_Barrier(own);
        counted[COLLECTIVES] += 2;
    }
    for (int p = 0; p < particles; p++) {
        int number = p * size + rank;
        double x = (0.3 + 0.6 * number / all) * exp(-stretch), y = (0.05 + 0.1 * (number % 7) / 7) * exp(stretch);
        wrong += !(fabs(position[2 * p] - x) < 1e-5 && fabs(position[2 * p + 1] - y) < 1e-5);
    }
    free(head), free(position);
    return wrong;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int world_rank, world_size, wrong = 0, all_wrong;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    int trackers = world_size / 2, flowers = world_size - trackers;
    points = argc > 1 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 20, particles = argc > 3 ? atoi(argv[3]) : 2000;
    if (trackers == 0 || points < 8 || points < flowers || steps > 40) { /* later particles leave the square */
        fprintf(stderr, "coupled: two ranks at least, 8 points a side and as many as ranks, at most 40 steps\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    side = world_rank < flowers ? FLOW : TRACKING;
    MPI_Comm_split(MPI_COMM_WORLD, side, world_rank, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, side == FLOW ? flowers : 0, 7, &between);
    MPI_Comm_rank(own, &rank);
    MPI_Comm_size(own, &size);
    others = world_size - size;

    if (side == FLOW)
        flow();
    else
        wrong = tracking();
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (world_rank == 0)
        printf("%d of %d particles are where they should be\n", particles * trackers - all_wrong, particles * trackers);
    if (getenv("COUNT")) {
        counted[COLLECTIVES] += 2; /* with this one */
        MPI_Reduce(counted, sum, COUNTS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (world_rank == 0)
            printf("counted messages=%ld bytes=%ld collectives=%ld\n", sum[MESSAGES], sum[BYTES], sum[COLLECTIVES]);
    }
    MPI_Comm_free(&between), MPI_Comm_free(&own);
    MPI_Finalize();
    return all_wrong > 0;
}
