/* Two groups, and what joins them. archive: messages 6 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm inter, copy, merged;
    MPI_Group remote;
    int flag, n, here, got;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, !rank, 1, &inter);
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_remote_size(inter, &n);
    expect(flag && n == 1);
    MPI_Comm_remote_group(inter, &remote);
    MPI_Group_size(remote, &n);
    expect(n == 1);
    MPI_Group_free(&remote);
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, inter, MPI_STATUS_IGNORE);
    expect(got == !rank);
    MPI_Comm_dup(inter, &copy);
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, copy, MPI_STATUS_IGNORE);
    expect(got == !rank);
    MPI_Intercomm_merge(inter, rank == 0, &merged);
    MPI_Comm_rank(merged, &here);
    expect(here == !rank);
    MPI_Sendrecv(&rank, 1, MPI_INT, !here, 1, &got, 1, MPI_INT, !here, 1, merged,
                 MPI_STATUS_IGNORE);
    expect(got == !rank);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&inter);
    return end();
}
