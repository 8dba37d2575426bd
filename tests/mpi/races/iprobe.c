/* The emulated receive of Clémençon et al. 1995 (their Figure 3): ask until somebody is there.
 *
 * ranks: 3 */
#include "race.h"

int main(void)
{
    MPI_Status status;
    begin(3);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            int there = 0;
            while (!there)
                MPI_Iprobe(MPI_ANY_SOURCE, 0, WORLD, &there, &status); /* RACE: order */
            MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 0, WORLD, IGNORE);
        }
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    }
    MPI_Finalize();
}
