/* Combined send and receive: round the ring, along a line with nobody at its ends,
 * to oneself, and in place. */
#include "count.h"

/* Sends rank to `to`, and expects the rank of `from`, or an untouched -1 from nobody. */
static void shift(int to, int from, int replace)
{
    int out = rank, in = -1;
    MPI_Status status;
    if (replace) {
        in = rank;
        MPI_Sendrecv_replace(&in, 1, MPI_INT, to, 2, from, 2, MPI_COMM_WORLD, &status);
        CHECK(in == (from == MPI_PROC_NULL ? rank : from));
    } else {
        MPI_Sendrecv(&out, 1, MPI_INT, to, 1, &in, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &status);
        CHECK(in == (from == MPI_PROC_NULL ? -1 : from));
    }
    count_sent(to, sizeof out);
    count_status(&status);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    for (int replace = 0; replace <= 1; replace++) {
        shift(right, left, replace);
        shift(left, right, replace);
        shift(rank, rank, replace);
        shift(rank < size - 1 ? right : MPI_PROC_NULL, rank > 0 ? left : MPI_PROC_NULL, replace);
    }
    print_counted();
    MPI_Finalize();
}
