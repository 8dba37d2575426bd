/* A double sent as one double and received as eight bytes: MPI_BYTE matches on both
 * sides or on neither (MPI 4.1, §3.3.1), and no more is known of MPI_PACKED.
 *
 * ranks: 2 */
#include "race.h"

int main(void)
{
    double real = 1;
    char packed[16];
    int at = 0;
    begin(2);
    if (rank == 0) {
        MPI_Recv(packed, sizeof packed, MPI_PACKED, 1, 0, WORLD, IGNORE); /* NONE */
        MPI_Unpack(packed, sizeof packed, &at, &real, 1, MPI_DOUBLE, WORLD);
    } else {
        MPI_Send(&real, 1, MPI_DOUBLE, 0, 0, WORLD);
    }
    MPI_Finalize();
}
