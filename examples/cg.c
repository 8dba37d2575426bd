/* Voltages in a net of resistors, by conjugate gradients (Hestenes, Stiefel 1952).
 * Node i is joined to i-1, i+1, i-LEAP, i+LEAP around a ring of n nodes, and to
 * earth by a weaker resistor. Each rank holds a band of nodes; since any two may be
 * joined, all gather the direction of search (Allgatherv), and sums run over all
 * (Allreduce): in each step everybody waits for everybody, three times.
 *
 *     cg [nodes = 50000] [right sides = 10]
 *
 * Rank 0 chooses voltages, hands out the currents they cause, gets back what was
 * solved, and returns 1 if that is not what it chose. COUNT=1: see heat.c. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAP = 97, MOST_STEPS = 200 };
static const double EARTH = 0.5, TOLERANCE = 1e-10;
static int rank, size, n, *first, *count; /* of each rank's band */
static long collectives;

/* One row of the matrix times x: the current that leaves node i. */
static double current(const double *x, int i)
{
    double sum = (4 + EARTH) * x[i];
    return sum - x[(i + 1) % n] - x[(i + n - 1) % n] - x[(i + LEAP) % n] - x[(i + n - LEAP) % n];
}

static double dot(const double *x, const double *y)
{
    double part = 0, whole;
    for (int i = 0; i < count[rank]; i++)
        part += x[i] * y[i];
    MPI_Allreduce(&part, &whole, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    collectives++;
    return whole;
}

/* Solves for the currents in r, which become the residual; returns the steps taken. */
static int solve(double *x, double *r, double *p, double *q, double *everywhere)
{
    int mine = count[rank], step = 0;
    for (int i = 0; i < mine; i++)
        x[i] = 0, p[i] = r[i];
    double before, rho = dot(r, r), goal = rho * TOLERANCE * TOLERANCE;
    for (; rho > goal && step < MOST_STEPS; step++) {
        MPI_Allgatherv(p, mine, MPI_DOUBLE, everywhere, count, first, MPI_DOUBLE, MPI_COMM_WORLD);
        collectives++;
        for (int i = 0; i < mine; i++)
            q[i] = current(everywhere, first[rank] + i);
        double alpha = rho / dot(p, q);
        for (int i = 0; i < mine; i++)
            x[i] += alpha * p[i], r[i] -= alpha * q[i];
        before = rho, rho = dot(r, r);
        for (int i = 0; i < mine; i++)
            p[i] = r[i] + rho / before * p[i];
    }
    return step;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int problem[2] = {argc > 1 ? atoi(argv[1]) : 50000, argc > 2 ? atoi(argv[2]) : 10};
    MPI_Bcast(problem, 2, MPI_INT, 0, MPI_COMM_WORLD); /* as rank 0 read them */
    n = problem[0] > LEAP ? problem[0] : LEAP + 1;
    first = malloc(size * sizeof(int)), count = malloc(size * sizeof(int));
    for (int r = 0; r < size; r++)
        first[r] = (long)n * r / size, count[r] = (long)n * (r + 1) / size - first[r];

    int mine = count[rank], wrong = 0;
    double *band = malloc(4 * (size_t)(mine + 1) * sizeof(double)), *everywhere = malloc(3 * (size_t)n * sizeof(double));
    double *x = band, *r = x + mine, *p = r + mine, *q = p + mine;
    double *chosen = everywhere + n, *currents = chosen + n;
    for (int side = 1; side <= problem[1]; side++) {
        for (int i = 0; rank == 0 && i < n; i++)
            chosen[i] = sin(0.001 * side * i) + (i % (side + 2) == 0);
        for (int i = 0; rank == 0 && i < n; i++)
            currents[i] = current(chosen, i);
        MPI_Scatterv(currents, count, first, MPI_DOUBLE, r, mine, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        int steps = solve(x, r, p, q, everywhere);
        MPI_Gatherv(x, mine, MPI_DOUBLE, everywhere, count, first, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        collectives += 2;
        double worst = 0;
        for (int i = 0; rank == 0 && i < n; i++)
            worst = fmax(worst, fabs(everywhere[i] - chosen[i]));
        wrong += !(worst < 1e-7);
        if (rank == 0)
            printf("right side %2d: %3d steps, voltages %s\n", side, steps, worst < 1e-7 ? "as chosen" : "WRONG");
    }
    MPI_Bcast(&wrong, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    collectives += 3; /* with the first broadcast */

    if (getenv("COUNT")) {
        long sum, counted = collectives + 1; /* this one */
        MPI_Reduce(&counted, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("counted messages=0 bytes=0 collectives=%ld\n", sum);
    }
    free(band), free(everywhere), free(first), free(count);
    MPI_Finalize();
    return wrong > 0;
}
