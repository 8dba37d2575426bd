/* What these programs share. Each loses a message, or a stamp, in a way of its own; whoever looks
 * for races while they run must neither make them wait nor take one message for another.
 * `ranks:` says for how many a program is; it ends by itself, with 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
#define CHECK(what)                                                                                 \
    do {                                                                                            \
        if (!(what)) {                                                                              \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                              \
            MPI_Abort(WORLD, 1);                                                                    \
        }                                                                                           \
    } while (0)

static int rank;

static inline void begin(int ranks)
{
    int size;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    CHECK(size == ranks);
}

static inline void say(int what, int to, MPI_Comm comm)
{
    MPI_Send(&what, 1, MPI_INT, to, 0, comm);
}

/* Receives from anybody, and expects this. */
static inline void hear(int what, MPI_Comm comm)
{
    int heard = -1;
    MPI_Recv(&heard, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, IGNORE);
    CHECK(heard == what);
}

/* Two ranks tell each other many things, and choose each time: all of it brings news. */
static inline void talk(int times)
{
    for (int i = 0; i < times; i++) {
        if (rank == 0)
            say(i, 1, WORLD);
        if (rank == 1) {
            hear(i, WORLD);
            say(-i, 0, WORLD);
        }
        if (rank == 0)
            hear(-i, WORLD);
    }
}
