/* A master, and workers that take a known time for each stripe of a product: the
 * experiment of Li and Zhang with its arithmetic replaced by sleep, so that the
 * order in which results come is known: worker 2 takes twice as long for a stripe
 * as worker 1, and its results come in the middle between two of those. Worker 1
 * makes many calls meanwhile, each of which is observed.
 *
 *     paced [stripes = 30] [milliseconds of a stripe = 40] [calls of worker 1 a stripe = 20]
 *
 * The order of results goes to standard output, seconds to standard error. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORK = 1, RESULT };

static void master(int stripes, int workers)
{
    int next = 0, outstanding = 0, word;
    for (int worker = 1; worker <= workers && next < stripes; worker++, next++, outstanding++)
        MPI_Send(&next, 1, MPI_INT, worker, WORK, MPI_COMM_WORLD);
    printf("order");
    while (outstanding > 0) {
        MPI_Status status;
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        printf(" %d", status.MPI_SOURCE);
        outstanding--;
        if (next < stripes) {
            MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, WORK, MPI_COMM_WORLD);
            next++;
            outstanding++;
        }
    }
    printf("\n");
    word = -1;
    for (int worker = 1; worker <= workers; worker++)
        MPI_Send(&word, 1, MPI_INT, worker, WORK, MPI_COMM_WORLD);
}

static void work(int rank, int milliseconds, int calls)
{
    int time = 1000 * milliseconds * rank, early = 500 * milliseconds * (rank - 1);
    for (int stripe, flag;; early = 0) {
        MPI_Recv(&stripe, 1, MPI_INT, 0, WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (stripe < 0)
            break;
        for (int i = 0; rank == 1 && i < calls; i++)
            MPI_Initialized(&flag);
        usleep(time - early);
        MPI_Send(&stripe, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (rank == 0)
        master(argc > 1 ? atoi(argv[1]) : 30, size - 1);
    else
        work(rank, argc > 2 ? atoi(argv[2]) : 40, argc > 3 ? atoi(argv[3]) : 20);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        fprintf(stderr, "seconds %.6f\n", MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
