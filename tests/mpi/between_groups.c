/* Two groups of one session joined by MPI_Intercomm_create_from_groups, messages across; nothing
 * before MPI 4.0. */
#include "count.h"

#if MPI_VERSION >= 4
static void join(void)
{
    int half = size / 2, low = rank < half, me, others, in = -1;
    int ranges[2][1][3] = {{{0, half - 1, 1}}, {{half, size - 1, 1}}};
    MPI_Session session;
    MPI_Group all, groups[2];
    MPI_Comm across;
    MPI_Status status;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    for (int k = 0; k < 2; k++)
        MPI_Group_range_incl(all, 1, ranges[k], &groups[k]);
    MPI_Intercomm_create_from_groups(groups[!low], 0, groups[low], 0, "halves", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                                     &across);
    MPI_Comm_set_name(across, "halves");
    MPI_Comm_rank(across, &me);
    MPI_Comm_remote_size(across, &others);
    if (low) {
        MPI_Send(&rank, 1, MPI_INT, me % others, 5, across);
        count_sent(half + me % others, sizeof rank);
    } else {
        for (int from = me; from < half; from += size - half) {
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 5, across, &status);
            count_status(&status);
            CHECK(in == status.MPI_SOURCE);
        }
    }
    MPI_Comm_free(&across);
    for (int k = 0; k < 2; k++)
        MPI_Group_free(&groups[k]);
    MPI_Group_free(&all);
    MPI_Session_finalize(&session);
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
#if MPI_VERSION >= 4
    join();
#endif
    COLLECTIVE(MPI_Barrier(MPI_COMM_WORLD));
    print_counted();
    MPI_Finalize();
}
