/* Sums in order of arrival, in every way in which a program can receive from anybody, where each
 * rank dawdles at random: `sum` differs from run to run unless somebody keeps the order. */
#include "saw.h"

enum { ROUNDS = 3 };
static float sum;

static void add(float value)
{
    sum = sum * 1.0001f + value;
}

static void send(int tag)
{
    float value = 0.1f + 1e-3f * (float)rank + 1e-6f * (float)tag;
    dawdle(400);
    MPI_Send(&value, 1, MPI_FLOAT, 0, tag, MPI_COMM_WORLD);
}

static void receive(int tag)
{
    float value, values[64];
    MPI_Status status;
    MPI_Request requests[64];
    int there = 0, index;
    for (int k = 1; k < size; k++) {
        switch (tag) {
        case 0:
            MPI_Recv(&value, 1, MPI_FLOAT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            break;
        case 1:
            MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
            MPI_Recv(&value, 1, MPI_FLOAT, status.MPI_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            break;
        case 2:
            for (there = 0; !there; add(1e-4f))
                MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
            MPI_Recv(&value, 1, MPI_FLOAT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
            break;
        case 3:
            MPI_Irecv(&value, 1, MPI_FLOAT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &requests[0]);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            break;
        default:
            if (k == 1)
                for (int j = 1; j < size; j++)
                    MPI_Irecv(&values[j], 1, MPI_FLOAT, tag == 4 ? j : MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
                              &requests[j]);
            if (tag == 6) {
                for (there = 0; !there; add(1e-5f))
                    MPI_Testany(size - 1, requests + 1, &index, &there, &status);
            } else {
                MPI_Waitany(size - 1, requests + 1, &index, &status);
            }
            add((float)status.MPI_SOURCE);
            value = values[index + 1];
        }
        add(value);
    }
}

int main(int argc, char **argv)
{
    int bits, ring = 0;
    MPI_Init(&argc, &argv);
    look_around();
    for (int i = 0; i < ROUNDS; i++) {
        for (int tag = 0; tag < 7; tag++)
            if (rank == 0)
                receive(tag);
            else
                send(tag);
        /* All exchange with anybody at once, then meet. */
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 9, &ring, 1, MPI_INT, MPI_ANY_SOURCE, 9,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        saw(ring);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    bits = (int)(sum * 1e6f);
    saw(bits);
    print_saw();
    MPI_Finalize();
}
