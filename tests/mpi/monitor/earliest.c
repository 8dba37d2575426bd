/* Two processes send to a third one, which takes the messages from anybody in
 * each way that MPI has. The first sends early, after many calls; the second a
 * while later, after none. Slow probes make the first one late: whoever goes
 * by the clock takes the second's message first.
 *
 *     earliest [rounds = 1] [milliseconds between the two = 60] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WAYS = 7, CALLS = 60 };

/* Takes one message, and returns whose. */
static int take(int way)
{
    int word, flag = 0, index;
    MPI_Status status;
    MPI_Request request, named[2];
    MPI_Message message;
    switch (way) {
    case 0:
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, way, MPI_COMM_WORLD, &status);
        return status.MPI_SOURCE;
    case 1:
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        return status.MPI_SOURCE;
    case 2:
        MPI_Probe(MPI_ANY_SOURCE, way, MPI_COMM_WORLD, &status);
        break;
    case 3:
        while (!flag)
            MPI_Iprobe(MPI_ANY_SOURCE, way, MPI_COMM_WORLD, &flag, &status);
        break;
    case 4:
        MPI_Mprobe(MPI_ANY_SOURCE, way, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&word, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        return status.MPI_SOURCE;
    case 5:
        MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, way, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
        return status.MPI_SOURCE;
    default:
        for (int k = 0; k < 2; k++)
            MPI_Irecv(&word, 1, MPI_INT, k + 1, way, MPI_COMM_WORLD, &named[k]);
        MPI_Waitany(2, named, &index, &status);
        MPI_Wait(&named[1 - index], MPI_STATUS_IGNORE);
        return 10 * (index + 1) + 2 - index;
    }
    MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return status.MPI_SOURCE;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, flag, rounds = argc > 1 ? atoi(argv[1]) : 1;
    useconds_t gap = 1000 * (argc > 2 ? atoi(argv[2]) : 60);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < rounds; round++)
        for (int way = 0; way < WAYS; way++) {
            MPI_Barrier(MPI_COMM_WORLD);
            for (int k = 0; rank == 1 && k < CALLS; k++)
                MPI_Initialized(&flag);
            usleep(rank == 2 ? gap : 0);
            if (rank > 0)
                MPI_Send(&rank, 1, MPI_INT, 0, way, MPI_COMM_WORLD);
            else {
                int first = take(way);
                if (first > 2)
                    printf("saw %d %d\n", way, first);
                else
                    printf("saw %d %d%d\n", way, first, take(way));
            }
        }
    MPI_Finalize();
    return 0;
}
