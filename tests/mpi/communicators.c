/* Communicators made in each way from the world. In each one lives a ring of messages
 * and a reduction, so that ranks, groups and identities must be right. */
#include "count.h"

/* Talks in the communicator, if this rank is in it, and frees it. */
static void live(MPI_Comm comm)
{
    int me, n, got, sum;
    MPI_Status status;
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, 1, &got, 1, MPI_INT, (me + n - 1) % n, 1, comm, &status);
    count_sent(me, sizeof me);
    count_status(&status);
    CHECK(got == (me + n - 1) % n && status.MPI_SOURCE == got);
    COLLECTIVE(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == n * (n - 1) / 2);
    if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF)
        MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Comm comm, parent;
    MPI_Group world, odd;
    MPI_Init(&argc, &argv);
    look_around();
    live(MPI_COMM_WORLD);
    live(MPI_COMM_SELF);

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "duplicate");
    live(comm);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comm); /* two halves, in reversed order */
    live(comm);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, rank, &comm);
    CHECK((rank == 0) == (comm == MPI_COMM_NULL));
    live(comm);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm);
    live(comm);

    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &parent); /* a child of a child */
    MPI_Comm_dup(parent, &comm);
    live(comm);
    live(parent);

    int first_odd_last[1][3] = {{1, size - 1, 2}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, first_odd_last, &odd);
    MPI_Comm_create(MPI_COMM_WORLD, odd, &comm);
    CHECK((rank % 2 == 0) == (comm == MPI_COMM_NULL));
    live(comm);
    if (rank % 2) { /* only the members call */
        MPI_Comm_create_group(MPI_COMM_WORLD, odd, 5, &comm);
        live(comm);
    }
    MPI_Group_free(&odd);
    MPI_Group_free(&world);

    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){size}, (int[]){1}, 1, &comm);
    live(comm);

    print_counted();
    MPI_Finalize();
}
