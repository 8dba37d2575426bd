/* What these programs share; README.md says what their comments promise.
 *
 * A race has more than one outcome, but a test wants the same one each time. So ranks
 * whisper past MPI: hear(2) waits until rank 2 has said tell() to us. Nobody who watches
 * MPI learns of it, and to MPI the race is as open as ever. If nothing is heard for
 * two seconds the rank goes on: somebody is forcing the other outcome. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

static int rank, size;
static int x; /* what is sent and received where it does not matter */

static inline void begin(int ranks)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    if (size != ranks) {
        fprintf(stderr, "this program needs %d ranks, not %d\n", ranks, size);
        MPI_Abort(WORLD, 2);
    }
}

/* A whisper is an empty file that the hearer removes; the launcher tells runs apart. */
static inline const char *whisper(int from, int to)
{
    static char name[64];
    snprintf(name, sizeof name, ".whisper-%d-%d-%d", (int)getppid(), from, to);
    return name;
}

static inline void tell(int to)
{
    int file = open(whisper(rank, to), O_CREAT | O_WRONLY, 0600);
    if (file >= 0)
        close(file);
}

static inline void hear(int from)
{
    for (int i = 0; i < 2000 && unlink(whisper(from, rank)) != 0; i++)
        usleep(1000);
}
