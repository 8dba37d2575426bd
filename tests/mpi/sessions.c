/* Communicators made from groups of a session, beside MPI_Init; nothing before MPI 4.0. Two of
 * them have the same members, and only their tags tell which is which. */
#include "count.h"

#if MPI_VERSION >= 4
static void around(MPI_Comm comm, int bytes)
{
    char in[8], out[8] = {0};
    MPI_Sendrecv(out, bytes, MPI_CHAR, right, 0, in, bytes, MPI_CHAR, left, 0, comm, MPI_STATUS_IGNORE);
    count_sent(right, bytes);
    count_received(left, bytes);
}

static void use_session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm first, second;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "first", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
    MPI_Comm_set_name(first, "first");
    MPI_Comm_create_from_group(group, "second", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
    MPI_Comm_set_name(second, "second");
    around(second, 2);
    around(first, 1);
    COLLECTIVE(MPI_Barrier(first));
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}
#else
static void use_session(void)
{
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    use_session();
    COLLECTIVE(MPI_Barrier(MPI_COMM_WORLD));
    print_counted();
    MPI_Finalize();
}
