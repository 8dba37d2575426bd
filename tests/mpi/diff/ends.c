// Computes and meets in a reduction, 30 times; rank 1 kills itself after 20 if it is told to (`early`).
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv) {
    int is_early = argc > 1 && strcmp(argv[1], "early") == 0, rank, sum;
    struct timespec some = {0, 2000000};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 30; i++) {
        nanosleep(&some, NULL);
        if (is_early && rank == 1 && i == 20)
            raise(SIGKILL);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
