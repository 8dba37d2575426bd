/* Members name different roots: wrong, yet small data let it end. What is said beside it must
 * not make it wait.
 *
 * ranks: 2 */
#include "line.h"

int main(void)
{
    int data = rank;
    begin(2);
    talk(2);
    MPI_Bcast(&data, 1, MPI_INT, rank, WORLD); /* each its own */
    talk(2);
    MPI_Finalize();
}
