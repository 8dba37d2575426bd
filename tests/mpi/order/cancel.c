/* Receives that may or may not be cancelled before their message comes. */
#include "saw.h"

enum { ROUNDS = 12 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    for (int i = 0; i < ROUNDS; i++) {
        if (rank > 0) {
            int out = 100 * rank + i;
            dawdle(400);
            MPI_Send(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
            continue;
        }
        int taken = 0;
        for (int tries = 0; taken < size - 1; tries++) {
            int data = -1, cancelled;
            MPI_Request request;
            MPI_Status status;
            int source = tries % 2 ? MPI_ANY_SOURCE : 1 + tries / 2 % (size - 1);
            MPI_Irecv(&data, 1, MPI_INT, source, 3, MPI_COMM_WORLD, &request);
            dawdle(300);
            MPI_Cancel(&request);
            MPI_Wait(&request, &status);
            MPI_Test_cancelled(&status, &cancelled);
            saw(cancelled);
            saw(data);
            taken += !cancelled;
            if (tries >= 40) { /* enough: somebody may have sent more, somebody less */
                for (; taken < size - 1; taken++) {
                    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
                    saw(data);
                }
            }
        }
    }
    print_saw();
    MPI_Finalize();
}
