/* Persistent receives from anybody, started one by one and together, waited for through a
 * copy of the handle, and freed. */
#include "saw.h"

enum { ROUNDS = 8, KINDS = 3 };

int main(int argc, char **argv)
{
    int data[KINDS];
    MPI_Request requests[KINDS], copies[KINDS];
    MPI_Status status;
    MPI_Init(&argc, &argv);
    look_around();
    if (rank > 0) {
        for (int i = 0; i < KINDS * ROUNDS; i++) {
            int out = 100 * rank + i;
            dawdle(300);
            MPI_Send(&out, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
        }
    } else {
        for (int k = 0; k < KINDS; k++)
            MPI_Recv_init(&data[k], 1, MPI_INT, MPI_ANY_SOURCE, k == 1 ? MPI_ANY_TAG : 4, MPI_COMM_WORLD,
                          &requests[k]);
        for (int k = 0; k < KINDS; k++)
            copies[k] = requests[k];
        for (int i = 0; i < ROUNDS * (size - 1); i++) {
            MPI_Start(&requests[0]);
            MPI_Wait(i % 2 ? &requests[0] : &copies[0], &status);
            saw_status(&status);
            MPI_Startall(KINDS - 1, requests + 1);
            if (i % 2)
                MPI_Waitall(KINDS - 1, requests + 1, MPI_STATUSES_IGNORE);
            else
                for (int k = KINDS - 1; k > 0; k--)
                    MPI_Wait(&copies[k], &status);
            for (int k = 0; k < KINDS; k++)
                saw(data[k]);
        }
        for (int k = 0; k < KINDS; k++)
            MPI_Request_free(&requests[k]);
    }
    print_saw();
    MPI_Finalize();
}
