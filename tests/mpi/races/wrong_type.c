/* Sent as a float, received as an int: the bytes fit, the value is nonsense.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    float pi = 3.14f;
    begin(2);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 0, WORLD, IGNORE); /* ERROR: type */
    else
        MPI_Send(&pi, 1, MPI_FLOAT, 0, 0, WORLD);
    MPI_Finalize();
}
