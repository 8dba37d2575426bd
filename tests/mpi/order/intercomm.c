/* Both halves of the world send to the first of the other half, who receives from anybody. */
#include "saw.h"

enum { ROUNDS = 8 };

int main(int argc, char **argv)
{
    MPI_Comm half, across;
    int own, others, at;
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, (rank + 1) % 2, 7, &across);
    MPI_Comm_rank(half, &at);
    MPI_Comm_size(half, &own);
    MPI_Comm_remote_size(across, &others);
    for (int i = 0; i < ROUNDS; i++) {
        int out = 100 * rank + i, in;
        MPI_Request request;
        dawdle(300);
        MPI_Isend(&out, 1, MPI_INT, 0, i, across, &request);
        for (int k = 0; at == 0 && k < others; k++) {
            MPI_Status status;
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, across, &status);
            saw(in);
            saw_status(&status);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&across);
    MPI_Comm_free(&half);
    print_saw();
    MPI_Finalize();
}
