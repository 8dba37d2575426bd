/* What the programs of this folder share: who they are, what was wrong, a sleep. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int rank, size, wrong;

static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static void expect(const char *what, long found, long expected)
{
    if (found != expected) {
        printf("rank %d: %s is %ld, not %ld\n", rank, what, found, expected);
        wrong = 1;
    }
}

static inline void doze(int milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

static int end(void)
{
    int any;
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", any ? "wrong" : "right");
    MPI_Finalize();
    return any;
}
