/* Two sessions at once, without MPI_Init; one ends before the other; messages 6 */
#include "../chapter.h"

static MPI_Comm made_of(MPI_Session session, const char *tag) {
    MPI_Group group;
    MPI_Comm comm;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    return comm;
}

static void swap(MPI_Comm comm, int times) {
    for (int i = 0; i < times; i++) {
        int got = -1, sent = 10 * i + rank;
        MPI_Sendrecv(&sent, 1, MPI_INT, !rank, i, &got, 1, MPI_INT, MPI_ANY_SOURCE, i, comm,
                     MPI_STATUS_IGNORE);
        expect(got == 10 * i + !rank);
    }
}

int main(void) {
    MPI_Session first, second;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
    MPI_Comm comm = made_of(first, "one"), other = made_of(second, "other");
    swap(other, 1);
    swap(comm, 1);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&first);
    swap(other, 1);
    MPI_Comm_free(&other);
    MPI_Session_finalize(&second);
    if (!wrong)
        puts("ok");
    return wrong;
}
