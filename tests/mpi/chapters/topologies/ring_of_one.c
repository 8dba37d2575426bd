/* A closed ring of one, who is his own neighbour twice. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm ring;
    int dims[1] = {1}, periods[1] = {1}, from, to, got = -1, both[2] = {-1, -1};
    MPI_Cart_create(MPI_COMM_SELF, 1, dims, periods, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &from, &to);
    expect(from == 0 && to == 0);
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 1, &got, 1, MPI_INT, from, 1, ring, MPI_STATUS_IGNORE);
    expect(got == rank);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, both, 1, MPI_INT, ring);
    expect(both[0] == rank && both[1] == rank);
    MPI_Comm_free(&ring);
    return end();
}
