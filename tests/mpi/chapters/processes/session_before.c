/* One process has a session before all call MPI_Init: each records by itself; messages 4 */
#include "../chapter.h"
#include <unistd.h>

static void swap(MPI_Comm comm) {
    int got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, !rank, 1, &got, 1, MPI_INT, !rank, 1, comm, MPI_STATUS_IGNORE);
    expect(got == !rank);
}

int main(int argc, char **argv) {
    const char *number = getenv("PMI_RANK") ? getenv("PMI_RANK") : getenv("PMIX_RANK");
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Comm copy;
    if (number && atoi(number) == 0)
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    swap(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    swap(copy);
    MPI_Comm_free(&copy);
    if (session != MPI_SESSION_NULL)
        MPI_Session_finalize(&session);
    if (!wrong)
        puts("ok");
    usleep(20000 * rank); // who comes first does not leave before the other has come
    MPI_Finalize();
    return wrong;
}
