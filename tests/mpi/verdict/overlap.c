/* Neighbours exchange large messages and compute meanwhile, which takes rank 1 longer: the others are in
 * MPI_Waitall until it comes there, too. Both sides of each message have been begun before. */
#include "plant.h"

enum { ROUNDS = 6, COUNT = 200000 };

int main(int argc, char **argv)
{
    static double out[2][COUNT], in[2][COUNT];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request all[4];
        MPI_Irecv(in[0], COUNT, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &all[0]);
        MPI_Irecv(in[1], COUNT, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &all[1]);
        MPI_Isend(out[0], COUNT, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &all[2]);
        MPI_Isend(out[1], COUNT, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &all[3]); /* BEFORE */
        rest(rank == 1 ? 100 : 10);
        MPI_Waitall(4, all, MPI_STATUSES_IGNORE); /* AFTER */
    }
    MPI_Finalize();
    return 0;
}
