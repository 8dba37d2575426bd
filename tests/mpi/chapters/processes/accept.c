/* One opens a port, the other connects. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    int got = -1;
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
    expect(got == !rank);
    MPI_Comm_disconnect(&other);
    if (rank == 0)
        MPI_Close_port(port);
    return end();
}
