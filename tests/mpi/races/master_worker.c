/* Whoever has done a task gets the next: the order is open on purpose.
 *
 * ranks: 3 */
#include "race.h"

enum { TASKS = 8, RESULT = 1, TASK = 2, STOP = 3 };

int main(void)
{
    MPI_Status status;
    begin(3);
    if (rank == 0) {
        for (int task = 0; task < TASKS + size - 1; task++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, WORLD, &status); /* RACE: order */
            MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, task < TASKS ? TASK : STOP, WORLD);
        }
    } else {
        do {
            MPI_Send(&rank, 1, MPI_INT, 0, RESULT, WORLD);
            MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, &status); /* NONE */
        } while (status.MPI_TAG == TASK);
    }
    MPI_Finalize();
}
