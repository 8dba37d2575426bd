/* Here the message really does not fit; the program has asked to be told.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    int many[100] = {0}, error = MPI_SUCCESS;
    begin(2);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        error = MPI_Recv(&x, 1, MPI_INT, 1, 0, WORLD, IGNORE); /* ERROR: truncation */
    else
        MPI_Send(many, 100, MPI_INT, 0, 0, WORLD);
    MPI_Finalize();
    return rank == 0 && error == MPI_SUCCESS;
}
