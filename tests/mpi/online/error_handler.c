/* Sends that fail, and an error handler that sends in their place.
 *
 * ranks: 2 */
#include "line.h"

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    if (rank == 0)
        say(7, 1, WORLD);
}

int main(void)
{
    MPI_Errhandler made;
    begin(2);
    MPI_Comm_create_errhandler(handler, &made);
    MPI_Comm_set_errhandler(WORLD, made);
    talk(5);
    if (rank == 0) {
        CHECK(MPI_Send(&rank, -1, MPI_INT, 1, 0, WORLD) != MPI_SUCCESS);
        CHECK(MPI_Send(&rank, 1, MPI_INT, 99, 0, WORLD) != MPI_SUCCESS);
    } else {
        hear(7, WORLD);
        hear(7, WORLD);
    }
    talk(5);
    MPI_Finalize();
}
