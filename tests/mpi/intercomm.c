/* An intercommunicator between even and odd ranks: messages across, whose peer is a
 * rank of the other side, and a merge of both sides into one. */
#include "count.h"

int main(int argc, char **argv)
{
    MPI_Comm half, across, merged;
    MPI_Status status;
    int me, others, got, sum;
    MPI_Init(&argc, &argv);
    look_around();
    CHECK(size >= 2);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &across);
    MPI_Comm_rank(across, &me);
    MPI_Comm_remote_size(across, &others);

    int partner = me < others ? me : MPI_PROC_NULL; /* sides may differ by one */
    got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, partner, 3, &got, 1, MPI_INT, partner, 3, across, &status);
    count_sent(partner, sizeof rank);
    count_status(&status);
    CHECK(got == (partner == MPI_PROC_NULL ? -1 : 2 * me + 1 - rank % 2));

    MPI_Intercomm_merge(across, rank % 2, &merged);
    COLLECTIVE(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged));
    CHECK(sum == size * (size - 1) / 2);

    MPI_Comm_free(&merged);
    MPI_Comm_free(&across);
    MPI_Comm_free(&half);
    print_counted();
    MPI_Finalize();
}
