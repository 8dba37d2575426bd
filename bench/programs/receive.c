/* The two benchmarks of Clémençon et al. 1995: RECEIVEBENCHMARK (their Figure 1), in
 * which every rank in turn receives a number from all others in order of arrival, and
 * the same with EMULATEDRECV (Figure 3), which probes without blocking until a message
 * is there. Every message races: no program has it worse.
 *
 *     receive [recv|iprobe] [n = 500]
 *
 * Figures go to standard error, the share of true probes among them. SEEN=1: a hash of
 * all that MPI told, see examples/README.md. */
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1 };
static int rank, size, emulated;
static long probes[2]; /* false, true */
static uint64_t seen = 14695981039346656037u; /* FNV-1a, a word at a time */

static void see(int value) { seen = (seen ^ (uint32_t)value) * 1099511628211u; }

static void receive(int *x, MPI_Status *status)
{
    if (!emulated) {
        MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, status);
        return;
    }
    for (int there = 0; !there;) {
        MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, status);
        probes[there]++;
        see(there);
        if (!there)
            sched_yield(); /* the sender may need this core */
    }
    MPI_Recv(x, 1, MPI_INT, status->MPI_SOURCE, TAG, MPI_COMM_WORLD, status);
}

static void benchmark(int n)
{
    MPI_Status status;
    int x;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < size; j++)
            if (j != rank)
                MPI_Send(&rank, 1, MPI_INT, j, TAG, MPI_COMM_WORLD);
            else
                for (int k = 0; k < size - 1; k++) {
                    receive(&x, &status);
                    see(status.MPI_SOURCE), see(x);
                }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    emulated = argc > 1 && strcmp(argv[1], "iprobe") == 0;
    int n = argc > 2 ? atoi(argv[2]) : 500;

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    benchmark(n);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;

    long all[2];
    MPI_Reduce(probes, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        fprintf(stderr, "seconds %.4f\nns_per_receive %.0f\n", seconds, 1e9 * seconds / n / size / (size > 1 ? size - 1 : 1));
        if (all[1] > 0)
            fprintf(stderr, "probes %ld, true %.4f %%\n", all[0] + all[1], 100.0 * (double)all[1] / (double)(all[0] + all[1]));
    }
    if (getenv("SEEN")) {
        uint64_t combined;
        see(rank); /* that equal ranks do not cancel out */
        MPI_Reduce(&seen, &combined, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("seen %016llx\n", (unsigned long long)combined);
    }
    MPI_Finalize();
}
