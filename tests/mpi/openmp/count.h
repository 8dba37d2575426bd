/* What these programs share: they count what their threads do and check their own results, so that
 * a test can compare the trace with it. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { FORKS, MEMBERS, BARRIERS, ACQUIRED, TASKS, COUNTS };
static const char *const names[COUNTS] = {"forks", "members", "barriers", "acquired", "tasks"};
static long counted[COUNTS];

/* A team is about to be forked; a thread of one begins; it passes a barrier; it acquires a lock; it
 * creates a task. */
static void count(int what)
{
    __atomic_fetch_add(&counted[what], 1, __ATOMIC_RELAXED);
}

/* Ends MPI, and prints what all ranks have counted and whether all of them are right. */
static int ends(const char *program, int right)
{
    long sums[COUNTS];
    int rank, all;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(counted, sums, COUNTS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0) {
        printf("counted");
        for (int what = 0; what < COUNTS; ++what)
            printf(" %s=%ld", names[what], sums[what]);
        printf("\n%s: %s\n", program, all ? "ok" : "wrong");
    }
    return !all;
}
