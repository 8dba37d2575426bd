/* A session opened before MPI_Init, and left open until after MPI_Finalize; messages 2 */
#include "../chapter.h"
#include <unistd.h>

int main(void) {
    MPI_Session session;
    int got = -1;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    begin();
    MPI_Sendrecv(&rank, 1, MPI_INT, !rank, 1, &got, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect(got == !rank);
    usleep(20000 * rank); // who comes first does not leave before the other has come
    if (!wrong)
        puts("ok");
    MPI_Finalize();
    MPI_Session_finalize(&session);
    return wrong;
}
