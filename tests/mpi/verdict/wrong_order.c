/* Rank 0 receives from rank 1, which is late, before it receives from rank 2,
 * whose message is there, and computes after each. */
#include "plant.h"

enum { ROUNDS = 6 };

int main(int argc, char **argv)
{
    int rank, part = 0;
    MPI_Comm all = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(all, &rank);
    MPI_Barrier(all);
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 0) {
            MPI_Recv(&part, 1, MPI_INT, 1, 0, all, MPI_STATUS_IGNORE); /* PLANT */
            rest(40);
            MPI_Recv(&part, 1, MPI_INT, 2, 0, all, MPI_STATUS_IGNORE); /* LATER */
            rest(40);
        } else {
            rest(rank == 1 ? 140 : 10);
            MPI_Send(&part, 1, MPI_INT, 0, 0, all);
            rest(rank == 1 ? 20 : 150);
        }
    }
    MPI_Finalize();
    return 0;
}
