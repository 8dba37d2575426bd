/* Linear equations with a random band matrix, by BiCGSTAB (van der Vorst 1992), after a
 * benchmark of Clémençon et al. 1995. Blocks of rows are dealt to the ranks like cards,
 * so that a row needs its neighbours of several ranks. What they send is received from
 * MPI_ANY_SOURCE and added to the product as it comes: no rank waits for one that is late
 * while others are there, and the last bits of the result differ from run to run.
 *
 *     bicgstab [rows = 16384] [band = 100 on either side] [right sides = 8]
 *
 * Prints whether the known solutions were found and returns 1 if not; figures go to
 * standard error. COUNT=1 and SEEN=1: see README.md. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, MOST_STEPS = 500, HALO = 1 };
enum { MESSAGES, BYTES, COLLECTIVES, PRODUCTS, STEPS, COUNTS };
static const double TOLERANCE = 1e-10;
static long counted[COUNTS], sum[COUNTS];
static int rank, size, rows, band, blocks, mine; /* `mine`: rows of this rank */
static int neighbours, *neighbour;
static double *matrix, *halo; /* this rank's rows, 2 * band + 1 elements each; what a neighbour sent */
static MPI_Request *sends;
static uint64_t seen = 14695981039346656037u; /* FNV-1a, a word at a time */

static void see(uint64_t word) { seen = (seen ^ word) * 1099511628211u; }

static void see_all(const double *values, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t word;
        memcpy(&word, &values[i], sizeof word);
        see(word);
    }
}

/* Between -1 and 1, as if by chance (SplitMix64: Steele, Lea, Flood 2014). */
static double random_at(int i, int j)
{
    uint64_t z = ((uint64_t)i << 32 | (uint32_t)j) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)(z >> 11) / (double)(1ul << 52) - 1;
}

static int max(int a, int b) { return a > b ? a : b; }
static int min(int a, int b) { return a < b ? a : b; }

/* The k-th row of this rank in the whole matrix. */
static int row(int k) { return (k / BLOCK * size + rank) * BLOCK + k % BLOCK; }

/* Adds to y what the elements of x at rank `owner` contribute. */
static void add(double *y, const double *x, int owner)
{
    for (int k = 0; k < mine; k++) {
        int i = row(k), last = min(i + band, rows - 1);
        const double *a = matrix + (long)k * (2 * band + 1) - i + band;
        for (int b = max(i - band, 0) / BLOCK; b <= last / BLOCK; b++) {
            if (b % size != owner)
                continue;
            const double *at = x + (b / size - b) * BLOCK;
            double part = 0;
            for (int j = max(i - band, b * BLOCK); j <= min(last, b * BLOCK + BLOCK - 1); j++)
                part += a[j] * at[j];
            y[k] += part;
        }
    }
}

/* y = matrix x. Every product is followed by a sum over all ranks before the next one
 * begins, so that no message of the next can be taken for one of this. */
static void multiply(double *y, const double *x)
{
    MPI_Status status;
    int n;
    for (int i = 0; i < neighbours; i++)
        MPI_Isend(x, mine, MPI_DOUBLE, neighbour[i], HALO, MPI_COMM_WORLD, &sends[i]);
    memset(y, 0, (size_t)mine * sizeof *y);
    add(y, x, rank);
    for (int i = 0; i < neighbours; i++) {
        MPI_Recv(halo, rows, MPI_DOUBLE, MPI_ANY_SOURCE, HALO, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &n);
        see((uint64_t)status.MPI_SOURCE), see_all(halo, n);
        add(y, halo, status.MPI_SOURCE);
    }
    MPI_Waitall(neighbours, sends, MPI_STATUSES_IGNORE);
    counted[PRODUCTS]++, counted[MESSAGES] += neighbours;
    counted[BYTES] += (long)neighbours * mine * (long)sizeof *x;
}

static double dot(const double *x, const double *y)
{
    double part = 0, whole;
    for (int k = 0; k < mine; k++)
        part += x[k] * y[k];
    MPI_Allreduce(&part, &whole, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    counted[COLLECTIVES]++;
    return whole;
}

/* Solves matrix x = right, from x = 0; r and its fellows are room for vectors. */
static void solve(double *x, const double *right, double *r, double *p, double *v, double *t)
{
    for (int k = 0; k < mine; k++)
        x[k] = p[k] = v[k] = 0, r[k] = right[k];
    double rho = 1, alpha = 1, omega = 1, goal = dot(right, right) * TOLERANCE * TOLERANCE;
    for (int step = 0; step < MOST_STEPS && dot(r, r) > goal; step++) {
        double before = rho;
        rho = dot(right, r); /* the shadow residual is the first one */
        double beta = rho / before * alpha / omega;
        for (int k = 0; k < mine; k++)
            p[k] = r[k] + beta * (p[k] - omega * v[k]);
        multiply(v, p);
        alpha = rho / dot(right, v);
        for (int k = 0; k < mine; k++)
            r[k] -= alpha * v[k];
        multiply(t, r);
        omega = dot(t, r) / dot(t, t);
        for (int k = 0; k < mine; k++)
            x[k] += alpha * p[k] + omega * r[k], r[k] -= omega * t[k];
        counted[STEPS]++;
    }
}

static void lay_out(void)
{
    blocks = (rows + BLOCK - 1) / BLOCK;
    for (int b = rank; b < blocks; b += size)
        mine += min(BLOCK, rows - b * BLOCK);
    int width = 2 * band + 1, reach = (band + BLOCK - 1) / BLOCK;
    matrix = malloc(((size_t)mine + 1) * (size_t)width * sizeof *matrix);
    for (int k = 0; k < mine; k++)
        for (int j = 0; j < width; j++) /* a diagonal as large as keeps the rest in check */
            matrix[(long)k * width + j] = j == band ? 3 * sqrt(width / 3.0) : random_at(row(k), row(k) + j - band);
    char *near = calloc((size_t)size, 1);
    for (int b = rank; b < blocks; b += size)
        for (int other = max(b - reach, 0); other <= min(b + reach, blocks - 1); other++)
            near[other % size] = 1;
    neighbour = malloc((size_t)size * sizeof *neighbour);
    for (int r = 0; r < size; r++)
        if (near[r] && r != rank)
            neighbour[neighbours++] = r;
    sends = malloc((size_t)size * sizeof *sends);
    halo = malloc((size_t)rows * sizeof *halo);
    free(near);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rows = max(argc > 1 ? atoi(argv[1]) : 16384, 1);
    band = min(max(argc > 2 ? atoi(argv[2]) : 100, 0), rows - 1);
    int sides = argc > 3 ? atoi(argv[3]) : 8, wrong = 0;
    lay_out();
    double *vectors = calloc(7 * ((size_t)mine + 1), sizeof *vectors), *at[7];
    for (int i = 0; i < 7; i++)
        at[i] = vectors + (long)i * mine;

    double *chosen = at[0], *right = at[1], *x = at[2], seconds = 0;
    for (int side = 1; side <= sides; side++) {
        for (int k = 0; k < mine; k++)
            chosen[k] = sin(0.001 * side * row(k)) + 2;
        multiply(right, chosen);
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        solve(x, right, at[3], at[4], at[5], at[6]);
        seconds += MPI_Wtime() - start;
        double worst[2] = {0, 0};
        for (int k = 0; k < mine; k++)
            worst[0] = fmax(worst[0], fabs(x[k] - chosen[k]));
        MPI_Allreduce(&worst[0], &worst[1], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        counted[COLLECTIVES] += 2;
        wrong += !(worst[1] < 1e-6);
        see_all(x, mine);
        if (rank == 0)
            printf("right side %d: solution %s\n", side, worst[1] < 1e-6 ? "as chosen" : "WRONG");
    }

    counted[COLLECTIVES]++; /* this one */
    MPI_Reduce(counted, sum, COUNTS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    double work = (double)counted[STEPS] * rows * (2 * 2 * (2.0 * band + 1) + 22);
    if (rank == 0)
        fprintf(stderr, "seconds %.4f\nsteps %ld\nMFLOP/s %.0f\n", seconds, counted[STEPS], work / seconds / 1e6);
    if (rank == 0 && getenv("COUNT"))
        printf("counted messages=%ld bytes=%ld collectives=%ld\n", sum[MESSAGES], sum[BYTES], sum[COLLECTIVES]);
    if (getenv("SEEN")) {
        uint64_t all;
        see((uint64_t)rank); /* that equal ranks do not cancel out */
        MPI_Reduce(&seen, &all, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("seen %016llx\n", (unsigned long long)all);
    }
    MPI_Finalize();
    return wrong > 0;
}
