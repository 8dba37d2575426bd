/* A communicator that only one is in. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Group world, one;
    MPI_Comm comm;
    int zero[1] = {0}, value = 1, got = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, zero, &one);
    MPI_Comm_create(MPI_COMM_WORLD, one, &comm);
    expect((comm == MPI_COMM_NULL) == (rank == 1));
    if (rank == 0) {
        MPI_Comm_free(&comm);
        MPI_Comm_create_group(MPI_COMM_WORLD, one, 1, &comm);
        MPI_Sendrecv(&value, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
        expect(got == 1);
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&one);
    MPI_Group_free(&world);
    return end();
}
