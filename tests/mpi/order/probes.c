/* Messages of unknown origin: looked for with each form of probe, then received by name. */
#include "saw.h"

enum { ROUNDS = 5, FORMS = 4 };

static void take(int form)
{
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int there = 0, misses = 0, data;
    switch (form) {
    case 0:
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        break;
    case 1:
        while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status), !there)
            misses++;
        break;
    case 2:
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&data, 1, MPI_INT, &message, &status);
        break;
    case 3:
        while (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message, &status), !there)
            misses++;
        MPI_Imrecv(&data, 1, MPI_INT, &message, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    }
    if (form < 2)
        MPI_Recv(&data, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    saw(misses);
    saw(data);
    saw_status(&status);
}

int main(int argc, char **argv)
{
    int there, finds = 0;
    MPI_Init(&argc, &argv);
    look_around();
    for (int i = 0; rank > 0 && i < FORMS * ROUNDS; i++) {
        int out = 100 * rank + i;
        dawdle(300);
        MPI_Send(&out, 1, MPI_INT, 0, i % 3, MPI_COMM_WORLD);
    }
    for (int i = 0; rank == 0 && i < FORMS * ROUNDS * (size - 1); i++) {
        /* A look at one sender alone: yes or no is all that it tells. */
        MPI_Iprobe(1, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        finds += there != 0;
        saw(there != 0);
        take(i % FORMS);
    }
    saw(finds);
    print_saw();
    MPI_Finalize();
}
