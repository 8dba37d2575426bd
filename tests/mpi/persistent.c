/* Persistent requests of each send mode: made once, started ten times, freed. */
#include "count.h"

enum { FORMS = 3, ROUNDS = 10 };

int main(int argc, char **argv)
{
    static char buffer[1000 + MPI_BSEND_OVERHEAD];
    char *detached;
    int detached_size, in[FORMS], out[FORMS];
    MPI_Request requests[2 * FORMS];
    MPI_Status statuses[2 * FORMS];
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int i = 0; i < FORMS; i++)
        MPI_Recv_init(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Send_init(&out[0], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[FORMS]);
    MPI_Bsend_init(&out[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[FORMS + 1]);
    MPI_Ssend_init(&out[2], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[FORMS + 2]);

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < FORMS; i++)
            in[i] = -1, out[i] = 1000 * rank + 10 * round + i;
        if (round % 2) {
            MPI_Startall(2 * FORMS, requests);
            MPI_Waitall(2 * FORMS, requests, statuses);
        } else {
            for (int i = 0; i < 2 * FORMS; i++)
                MPI_Start(&requests[i]);
            for (int i = 0; i < 2 * FORMS; i++)
                MPI_Wait(&requests[i], &statuses[i]);
        }
        for (int i = 0; i < FORMS; i++) {
            CHECK(in[i] == 1000 * left + 10 * round + i && requests[i] != MPI_REQUEST_NULL);
            count_sent(right, sizeof(int));
            count_status(&statuses[i]);
        }
    }
    for (int i = 0; i < 2 * FORMS; i++)
        MPI_Request_free(&requests[i]);
    MPI_Buffer_detach(&detached, &detached_size);
    print_counted();
    MPI_Finalize();
}
