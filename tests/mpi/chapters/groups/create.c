/* Communicators of a group: by all, and by its members alone. archive: messages 4 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Group world, turned;
    MPI_Comm comms[2];
    int order[2] = {1, 0}, got, here;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, order, &turned);
    MPI_Comm_create(MPI_COMM_WORLD, turned, &comms[0]);
    MPI_Comm_create_group(MPI_COMM_WORLD, turned, 5, &comms[1]);
    for (int k = 0; k < 2; k++) {
        MPI_Comm_rank(comms[k], &here);
        expect(here == !rank);
        MPI_Sendrecv(&here, 1, MPI_INT, !here, 1, &got, 1, MPI_INT, !here, 1, comms[k],
                     MPI_STATUS_IGNORE);
        expect(got == rank);
        MPI_Comm_free(&comms[k]);
    }
    MPI_Group_free(&turned);
    MPI_Group_free(&world);
    return end();
}
