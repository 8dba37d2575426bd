/* The same calls in the same order, and other data: where a file `other` lies, one message of
 * rank 1 is another one.
 *
 *     other_data FORM content|type ROUND
 *
 * FORM is how rank 0 receives from anybody: recv, sendrecv or irecv (and a wait). The other message
 * has another content, which rank 0 tells, or is as many elements of another type. */
#include <string.h>

#include "saw.h"

enum { ROUNDS = 40 };

static void take(const char *form, double *data)
{
    MPI_Request request;
    int none = 0;
    if (strcmp(form, "recv") == 0)
        MPI_Recv(data, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (strcmp(form, "sendrecv") == 0)
        MPI_Sendrecv(&none, 1, MPI_INT, MPI_PROC_NULL, 0, data, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else {
        MPI_Irecv(data, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    const char *form = argc > 1 ? argv[1] : "recv";
    int by_type = argc > 2 && strcmp(argv[2], "type") == 0;
    int round = argc > 3 ? atoi(argv[3]) : 0;
    int other = access("other", F_OK) == 0;
    for (int i = 0; i < ROUNDS; i++) {
        int now = other && rank == 1 && i == round;
        double data = now && !by_type ? -1 : i;
        if (rank > 0) {
            dawdle(300);
            MPI_Send(&data, 1, now && by_type ? MPI_FLOAT : MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        } else
            for (int k = 1; k < size; k++) {
                /* What half a double leaves as it was is nobody's message. */
                data = 0.5;
                take(form, &data);
                if (data < 0)
                    printf("other in receive %d\n", i * (size - 1) + k);
            }
    }
    MPI_Finalize();
    return 0;
}
