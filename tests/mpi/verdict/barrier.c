/* Ranks compute, each longer than the others in its turn, and exchange nothing;
 * in all they compute equally long, and yet all wait at the barrier. */
#include "plant.h"

enum { ROUNDS = 12 };

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        rest(round % size == rank ? 60 : 15);
        MPI_Barrier(MPI_COMM_WORLD); /* PLANT */
    }
    MPI_Finalize();
    return 0;
}
