/* Partitioned messages (since MPI 4.0) in one set with receives from anybody: which of them MPI
 * completes first, and how often the program asks for a partition, is the order of the run. */
#include "saw.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
#if MPI_VERSION >= 4
    enum { ROUNDS = 4, PARTS = 3 };
    int parts[PARTS] = {0}, in, index;
    MPI_Request requests[2], kept = MPI_REQUEST_NULL;
    if (rank == 0)
        MPI_Precv_init(parts, PARTS, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &kept);
    else if (rank == 1)
        MPI_Psend_init(parts, PARTS, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &kept);
    for (int i = 0; i < ROUNDS; i++) {
        if (rank < 2)
            MPI_Start(&kept);
        for (int k = 0; rank == 1 && k < PARTS; k++) {
            parts[k] = 10 * i + k;
            dawdle(300);
            MPI_Pready(k, kept);
        }
        if (rank > 0) {
            dawdle(300);
            MPI_Send(&i, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        }
        if (rank == 1)
            MPI_Wait(&kept, MPI_STATUS_IGNORE);
        if (rank > 0)
            continue;
        requests[0] = kept;
        for (int k = 0; k < size - 1; k++) { /* the partitioned one completes among them, once */
            MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[1]);
            do {
                MPI_Status status;
                MPI_Waitany(2, requests, &index, &status);
                saw(index);
                if (index == 1)
                    saw_status(&status);
            } while (index == 0);
        }
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        for (int k = 0; k < PARTS; k++)
            saw(parts[k]);
        if (i + 1 < ROUNDS)
            continue;
        MPI_Start(&kept); /* once more: partition by partition */
        for (int k = 0; k < PARTS; k++) {
            int arrived = 0, polls = 0;
            while (!arrived) {
                MPI_Parrived(kept, k, &arrived);
                polls++;
            }
            saw(polls);
            saw(parts[k]);
        }
        MPI_Wait(&kept, MPI_STATUS_IGNORE);
    }
    if (rank == 1) {
        MPI_Start(&kept);
        for (int k = 0; k < PARTS; k++) {
            parts[k] = 100 + k;
            dawdle(300);
            MPI_Pready(k, kept);
        }
        MPI_Wait(&kept, MPI_STATUS_IGNORE);
    }
    if (rank < 2)
        MPI_Request_free(&kept);
#else
    if (rank == 0)
        puts("nothing to do: MPI before 4.0 has no partitioned messages");
#endif
    print_saw();
    MPI_Finalize();
}
