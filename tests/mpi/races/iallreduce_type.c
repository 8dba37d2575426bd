/* Members of a nonblocking operation reduce as many bytes of different types.
 *
 * ranks: 3
 * ends: anyhow */
#include "race.h"

int main(void)
{
    int one = 1, sum;
    MPI_Request request;
    begin(3);
    MPI_Datatype own = rank == 2 ? MPI_FLOAT : MPI_INT;
    MPI_Iallreduce(&one, &sum, 1, own, MPI_MAX, WORLD, &request); /* ERROR: collective type */
    MPI_Wait(&request, IGNORE);
    MPI_Finalize();
}
