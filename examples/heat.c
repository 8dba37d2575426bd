/* Heat in a square plate: one edge hot, the others cold, the inside relaxing.
 * Each rank holds a band of rows and exchanges the rows at its borders with its
 * neighbours at every step (halo exchange); every 50 steps all agree how far from
 * equilibrium the plate still is.
 *
 *     heat [points per side = 512] [steps = 1500]
 *
 * With COUNT=1 in the environment rank 0 tells at the end what the program itself
 * counted of its communication: our tests compare the trace with that. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES, BYTES, COLLECTIVES, COUNTS };
static long counted[COUNTS], sum[COUNTS];

static void exchange_halos(double *plate, int rows, int width, int up, int down)
{
    MPI_Request requests[4];
    MPI_Irecv(plate, width, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(plate + (rows + 1) * width, width, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(plate + width, width, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(plate + rows * width, width, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);

    int neighbours = (up != MPI_PROC_NULL) + (down != MPI_PROC_NULL);
    counted[MESSAGES] += neighbours;
    counted[BYTES] += neighbours * width * (long)sizeof(double);
}

/* Replaces each inner point by the mean of its four neighbours; returns the largest change. */
static double relax(const double *now, double *next, int rows, int width)
{
    double change = 0;
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j < width - 1; j++) {
            const double *p = now + i * width + j;
            next[i * width + j] = 0.25 * (p[-width] + p[width] + p[-1] + p[1]);
            change = fmax(change, fabs(next[i * width + j] - *p));
        }
    return change;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int width = argc > 1 ? atoi(argv[1]) : 512;
    int steps = argc > 2 ? atoi(argv[2]) : 1500;

    int rows = width / size + (rank < width % size); /* the first ranks take the remainder */
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *now = calloc((size_t)(rows + 2) * width, sizeof(double));
    double *next = calloc((size_t)(rows + 2) * width, sizeof(double));
    for (int j = 0; rank == 0 && j < width; j++)
        now[j] = next[j] = 100.0;

    for (int step = 1; step <= steps; step++) {
        exchange_halos(now, rows, width, up, down);
        double change = relax(now, next, rows, width), worst;
        double *swap = now;
        now = next, next = swap;
        if (step % 50 == 0 || step == steps) {
            MPI_Allreduce(&change, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            counted[COLLECTIVES]++;
            if (rank == 0 && (step % 500 == 0 || step == steps))
                printf("step %5d: largest change %.6f\n", step, worst);
        }
    }

    if (getenv("COUNT")) {
        counted[COLLECTIVES]++; /* this one */
        MPI_Reduce(counted, sum, COUNTS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("counted messages=%ld bytes=%ld collectives=%ld\n", sum[MESSAGES], sum[BYTES], sum[COLLECTIVES]);
    }
    free(now), free(next);
    MPI_Finalize();
}
