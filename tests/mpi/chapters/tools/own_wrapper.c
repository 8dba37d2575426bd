/* The program has a wrapper of its own, which calls the profiling name. archive: messages 1 */
#include "../chapter.h"

static int wrapped;

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    wrapped++;
    return PMPI_Send(data, count, type, to, tag, comm);
}

int main(void) {
    begin();
    int value = rank == 0 ? 3 : 0;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        PMPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(value == 3 && wrapped == (rank == 0));
    return end();
}
