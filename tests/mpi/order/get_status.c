/* Questions about several requests that complete none of them (since MPI 4.1): which is done,
 * which are, of receives from anybody. */
#include "saw.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
#if MPI_VERSION > 4 || MPI_VERSION == 4 && MPI_SUBVERSION >= 1
    enum { ROUNDS = 6, MOST = 16 };
    int in[MOST], index, count, indices[MOST], done = 0;
    MPI_Request requests[MOST];
    MPI_Status status, statuses[MOST];
    for (int i = 0; i < ROUNDS; i++) {
        if (rank > 0) {
            dawdle(300);
            MPI_Send(&i, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
            continue;
        }
        for (int k = 0; k < size - 1; k++)
            MPI_Irecv(&in[k], 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[k]);
        for (int left = size - 1; left > 0; left--) {
            for (done = 0; !done && i % 2 == 0; saw(done))
                MPI_Request_get_status_any(size - 1, requests, &index, &done, &status);
            for (count = 0; !count && i % 2 == 1; saw(count))
                MPI_Request_get_status_some(size - 1, requests, &count, indices, statuses);
            index = i % 2 == 0 ? index : indices[count - 1];
            MPI_Wait(&requests[index], &status);
            saw(index);
            saw_status(&status);
        }
    }
#else
    if (rank == 0)
        puts("nothing to do: MPI before 4.1 has no MPI_Request_get_status_any");
#endif
    print_saw();
    MPI_Finalize();
}
