/* Splits: by colour and key, by host, and without colour. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm turned, host, none;
    int here, got, result;
    MPI_Comm_split(MPI_COMM_WORLD, 3, -rank, &turned);
    MPI_Comm_rank(turned, &here);
    expect(here == !rank);
    MPI_Sendrecv(&rank, 1, MPI_INT, !here, 1, &got, 1, MPI_INT, !here, 1, turned,
                 MPI_STATUS_IGNORE);
    expect(got == !rank);
    MPI_Comm_compare(MPI_COMM_WORLD, turned, &result);
    expect(result == MPI_SIMILAR);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_compare(MPI_COMM_WORLD, host, &result);
    expect(result == MPI_CONGRUENT);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, 0, &none);
    expect((none == MPI_COMM_NULL) == (rank == 0));
    if (none != MPI_COMM_NULL)
        MPI_Comm_free(&none);
    MPI_Comm_free(&host);
    MPI_Comm_free(&turned);
    return end();
}
