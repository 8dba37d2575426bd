/* Operations of an intercommunicator: who has the root says so. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm inter;
    int root = rank == 0 ? MPI_ROOT : 0, value = rank == 0 ? 6 : 0, got = -1;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, !rank, 1, &inter);
    MPI_Barrier(inter);
    MPI_Bcast(&value, 1, MPI_INT, root, inter);
    expect(value == 6);
    MPI_Allreduce(&rank, &got, 1, MPI_INT, MPI_SUM, inter);
    expect(got == !rank);
    MPI_Allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, inter);
    expect(got == !rank);
    got = -1;
    MPI_Gather(&rank, 1, MPI_INT, &got, 1, MPI_INT, root, inter);
    expect(got == (rank == 0 ? 1 : -1));
    MPI_Alltoall(&rank, 1, MPI_INT, &got, 1, MPI_INT, inter);
    expect(got == !rank);
    MPI_Comm_free(&inter);
    return end();
}
