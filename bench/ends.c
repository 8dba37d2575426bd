/* How long do MPI_Init and MPI_Finalize take, and what of the traced process lies in memory?
 *
 *     ends [calls = 0]
 *
 * Each rank makes so many calls in between. Rank 0 prints ms, and KiB of the preloaded library. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Resident memory of all that is mapped from the agent's file. */
static long resident(void)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[4096];
    long sum = 0, kib;
    int is_agent = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (strchr(line, '-') && !strchr(line, ':'))
            is_agent = 0;
        if (strstr(line, "r-xp") || strstr(line, "r--p") || strstr(line, "rw-p"))
            is_agent = strstr(line, "libmpiscope_agent") != NULL;
        if (is_agent && sscanf(line, "Rss: %ld", &kib) == 1)
            sum += kib;
    }
    if (file)
        fclose(file);
    return sum;
}

int main(int argc, char **argv)
{
    long calls = argc > 1 ? atol(argv[1]) : 0;
    double began = now(), inside, end, over;
    int rank, data = 0;
    MPI_Init(&argc, &argv);
    inside = now();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long i = 0; i < calls; i++)
        MPI_Send(&data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD); /* so that nobody waits in MPI_Finalize for who is late */
    long kib = resident();
    end = now();
    MPI_Finalize();
    over = now();
    if (rank == 0)
        printf("init %.2f finalize %.2f resident %ld\n", inside - began, over - end, kib);
}
