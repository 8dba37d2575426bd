/* Who comes first decides which of two receives gets its message, and which is cancelled.
 * Either way the program ends, and prints the same. */
#include "../races/race.h"

int main(void)
{
    int first = 0, gone, got = 7;
    MPI_Status status;
    MPI_Request requests[2];
    begin(3);
    if (rank == 0) {
        for (int k = 0; k < 2; k++) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &status);
            first = first ? first : status.MPI_SOURCE;
            tell(2);
        }
        for (int k = 0; k < 2; k++) /* tag 1: sent; tag 2: never */
            MPI_Irecv(&x, 1, MPI_INT, 1, k == first - 1 ? 1 : 2, WORLD, &requests[k]);
        MPI_Wait(&requests[first - 1], IGNORE);
        MPI_Cancel(&requests[2 - first]);
        MPI_Wait(&requests[2 - first], &status);
        MPI_Test_cancelled(&status, &gone);
        printf("got %d, the other is %s\n", x, gone ? "cancelled" : "there");
    } else {
        if (rank == 2)
            hear(0);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
        if (rank == 1)
            MPI_Send(&got, 1, MPI_INT, 0, 1, WORLD);
    }
    MPI_Finalize();
}
