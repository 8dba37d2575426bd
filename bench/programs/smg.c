/* Structured multigrid as in the benchmark SMG2000: the Laplace operator on a box of
 * points, 16 x 16 x 8 of them on each rank, solved by hypre's semicoarsening multigrid
 * (Schaffer 1998; Brown, Falgout, Jones 2000), five iterations. It sends many small
 * messages, also to ranks that are no neighbours.
 *
 *     smg [pause in seconds = 20] [rounds = 1]
 *
 * A pause before and one after the core take the core far from the places where clocks
 * are compared, MPI_Init and MPI_Finalize; only the core asks to be traced, as one does
 * with a long run (Becker, Rabenseifner, Wolf, Linford 2008, section 5). The core runs
 * in rounds with a pause between them if asked to. Returns 1 if a residual is wrong. */
#include <HYPRE_struct_ls.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { X = 16, Y = 16, Z = 8, POINTS = X * Y * Z, STENCIL = 4, ITERATIONS = 5 };
static int rank, size, lower[3], upper[3], end[3];

static void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

/* Deals the ranks to a grid of boxes as near to a cube as can be. */
static HYPRE_StructGrid make_grid(void)
{
    static const int extent[3] = {X, Y, Z};
    int boxes[3] = {0, 0, 0}, rest = rank;
    MPI_Dims_create(size, 3, boxes);
    for (int d = 2; d >= 0; rest /= boxes[d--]) {
        lower[d] = rest % boxes[d] * extent[d];
        upper[d] = lower[d] + extent[d] - 1;
        end[d] = boxes[d] * extent[d] - 1;
    }
    HYPRE_StructGrid grid;
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
    HYPRE_StructGridSetExtents(grid, lower, upper);
    HYPRE_StructGridAssemble(grid);
    return grid;
}

/* 6 on the diagonal and -1 towards each neighbour, none outside; symmetric, so half is told. */
static HYPRE_StructMatrix make_matrix(HYPRE_StructGrid grid)
{
    static int offsets[STENCIL][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0}};
    static double values[POINTS][STENCIL];
    int entries[STENCIL] = {0, 1, 2, 3}, point = 0;
    HYPRE_StructStencil stencil;
    HYPRE_StructMatrix matrix;
    HYPRE_StructStencilCreate(3, STENCIL, &stencil);
    for (int e = 0; e < STENCIL; e++)
        HYPRE_StructStencilSetElement(stencil, e, offsets[e]);
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &matrix);
    HYPRE_StructMatrixSetSymmetric(matrix, 1);
    HYPRE_StructMatrixInitialize(matrix);
    for (int z = lower[2]; z <= upper[2]; z++)
        for (int y = lower[1]; y <= upper[1]; y++)
            for (int x = lower[0]; x <= upper[0]; x++, point++) {
                values[point][0] = x > 0 ? -1 : 0;
                values[point][1] = y > 0 ? -1 : 0;
                values[point][2] = z > 0 ? -1 : 0;
                values[point][3] = 6;
            }
    HYPRE_StructMatrixSetBoxValues(matrix, lower, upper, STENCIL, entries, values[0]);
    HYPRE_StructMatrixAssemble(matrix);
    HYPRE_StructStencilDestroy(stencil);
    return matrix;
}

static HYPRE_StructVector make_vector(HYPRE_StructGrid grid, double value)
{
    HYPRE_StructVector vector;
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &vector);
    HYPRE_StructVectorInitialize(vector);
    HYPRE_StructVectorSetConstantValues(vector, value);
    HYPRE_StructVectorAssemble(vector);
    return vector;
}

/* The core. Returns the relative residual that hypre saw before its last iteration. */
static double solve(HYPRE_StructMatrix matrix, HYPRE_StructVector right, HYPRE_StructVector x)
{
    HYPRE_StructSolver solver;
    double residual = 0;
    HYPRE_StructSMGCreate(MPI_COMM_WORLD, &solver);
    HYPRE_StructSMGSetMaxIter(solver, ITERATIONS);
    HYPRE_StructSMGSetTol(solver, 1e-30); /* never met: all iterations are made */
    HYPRE_StructSMGSetNumPreRelax(solver, 1);
    HYPRE_StructSMGSetNumPostRelax(solver, 1);
    HYPRE_StructSMGSetLogging(solver, 1);
    HYPRE_StructSMGSetup(solver, matrix, right, x);
    HYPRE_StructSMGSolve(solver, matrix, right, x);
    HYPRE_StructSMGGetFinalRelativeResidualNorm(solver, &residual);
    HYPRE_StructSMGDestroy(solver);
    return residual;
}

/* Returns it after the last, from the solution alone: |b - A x| / |b| with b = 1 everywhere. */
static double residual_of(HYPRE_StructMatrix matrix, HYPRE_StructVector x, HYPRE_StructVector work)
{
    static double values[POINTS];
    double part = 0, whole;
    HYPRE_StructVectorSetConstantValues(work, 1.0);
    HYPRE_StructMatrixMatvec(-1.0, matrix, x, 1.0, work);
    HYPRE_StructVectorGetBoxValues(work, lower, upper, values);
    for (int i = 0; i < POINTS; i++)
        part += values[i] * values[i];
    MPI_Allreduce(&part, &whole, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(whole / ((double)POINTS * size));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Pcontrol(0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double seconds = argc > 1 ? atof(argv[1]) : 20;
    int rounds = argc > 2 ? atoi(argv[2]) : 1, wrong = 0;

    HYPRE_Init();
    HYPRE_StructGrid grid = make_grid();
    HYPRE_StructMatrix matrix = make_matrix(grid);
    HYPRE_StructVector right = make_vector(grid, 1.0), work = make_vector(grid, 1.0);
    pause_for(seconds);
    for (int round = 0; round < rounds; round++) {
        HYPRE_StructVector x = make_vector(grid, 0.0);
        MPI_Pcontrol(1);
        double said = solve(matrix, right, x);
        MPI_Pcontrol(0);
        double found = residual_of(matrix, x, work);
        int good = found < 1e-4 && found < said && said < 1e-2; /* the last iteration helped too */
        wrong += !good;
        if (rank == 0)
            printf("%d x %d x %d points: residual %.3e %s\n", end[0] + 1, end[1] + 1, end[2] + 1, found,
                   good ? "as it should be" : "WRONG");
        HYPRE_StructVectorDestroy(x);
        pause_for(seconds);
    }
    HYPRE_StructVectorDestroy(right), HYPRE_StructVectorDestroy(work);
    HYPRE_StructMatrixDestroy(matrix), HYPRE_StructGridDestroy(grid);
    HYPRE_Finalize();
    MPI_Finalize();
    return wrong > 0;
}
