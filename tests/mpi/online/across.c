/* Messages between two groups, on their duplicate, and on both groups merged.
 *
 * ranks: 2 */
#include "line.h"

static void both(MPI_Comm comm, int other)
{
    for (int i = 0; i < 4; i++) {
        if (rank == 0)
            say(i, other, comm);
        else
            hear(i, comm);
        MPI_Barrier(comm);
    }
    if (rank == 0)
        hear(9, comm);
    else
        say(9, other == 0 ? 0 : 1 - rank, comm);
}

int main(void)
{
    MPI_Comm across, again, merged, later;
    MPI_Request request;
    begin(2);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, WORLD, 1 - rank, 3, &across);
    both(across, 0);
    MPI_Comm_dup(across, &again);
    both(again, 0);
    MPI_Intercomm_merge(across, rank, &merged);
    both(merged, 1 - rank);
    MPI_Comm_idup(merged, &later, &request);
    talk(2);
    MPI_Wait(&request, IGNORE);
    both(later, 1 - rank);
    MPI_Comm_free(&later);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&again);
    MPI_Comm_disconnect(&across);
    talk(2);
    MPI_Finalize();
}
