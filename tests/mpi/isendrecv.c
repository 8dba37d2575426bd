/* MPI_Isendrecv and MPI_Isendrecv_replace (since MPI 4.0), completed by Wait and by Test,
 * and ordinary messages after them in the same channels, which must not be taken for theirs. */
#include "count.h"
#include <unistd.h>

#if MPI_VERSION >= 4
enum { TAG = 4, ROUNDS = 3 };

static void complete(MPI_Request *request, MPI_Status *status, int how)
{
    for (int done = 0; how && !done; usleep(100))
        MPI_Test(request, &done, status);
    if (!how)
        MPI_Wait(request, status);
    CHECK(*request == MPI_REQUEST_NULL);
}

/* A double to `to`, one from `from`; then an int each. */
static void shift(int to, int from, int replace, int how)
{
    double out = rank, in = replace ? rank : -1;
    MPI_Request request;
    MPI_Status status;
    if (replace)
        MPI_Isendrecv_replace(&in, 1, MPI_DOUBLE, to, TAG, from, TAG, MPI_COMM_WORLD, &request);
    else
        MPI_Isendrecv(&out, 1, MPI_DOUBLE, to, TAG, &in, 1, MPI_DOUBLE, from, TAG, MPI_COMM_WORLD, &request);
    count_sent(to, sizeof out);
    complete(&request, MPI_STATUS_IGNORE, how); /* which MPICH 4.0 does not fill */
    count_received(from, sizeof in);
    CHECK(in == (from != MPI_PROC_NULL ? from : replace ? rank : -1));

    int small = rank, got = -1;
    MPI_Isend(&small, 1, MPI_INT, to, TAG, MPI_COMM_WORLD, &request);
    count_sent(to, sizeof small);
    MPI_Recv(&got, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, &status);
    count_status(&status);
    complete(&request, MPI_STATUS_IGNORE, how);
    CHECK(got == (from == MPI_PROC_NULL ? -1 : from));
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
#if MPI_VERSION >= 4
    for (int round = 0; round < ROUNDS; round++)
        for (int form = 0; form < 4; form++) {
            shift(right, left, form % 2, form / 2);
            shift(rank, rank, form % 2, form / 2);
            shift(rank < size - 1 ? right : MPI_PROC_NULL, rank > 0 ? left : MPI_PROC_NULL, form % 2, form / 2);
        }
#else
    if (rank == 0)
        puts("nothing to do: MPI before 4.0 has no MPI_Isendrecv");
#endif
    print_counted();
    MPI_Finalize();
}
