/* What the programs of this folder share: who they are, what was wrong, and bytes as they count them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, wrong;
/* Bytes read and written by this process. */
static long moved[2];
enum { READ, WRITTEN };

static inline void begin(int *argc, char ***argv)
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

/* What a status says was moved. */
static inline void count(int way, MPI_Status *status, int expected)
{
    int bytes;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    expect("what a status says", bytes, expected);
    moved[way] += bytes;
}

static int end(void)
{
    int any;
    long all[2];
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce(moved, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("counted read=%ld written=%ld\n%s\n", all[READ], all[WRITTEN], any ? "wrong" : "right");
    MPI_Finalize();
    return any;
}
