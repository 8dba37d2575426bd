/* Rank 0 receives from anybody and waits for any; the argument says what is done otherwise:
 * `same` nothing, `more` calls, another `tag`, a `wait` in place of a probe, `fewer` bytes from
 * rank 1 after half of it, rank 1 `silent` or `killed` then, or rank 0's death. */
#include "saw.h"
#include <signal.h>
#include <string.h>

enum { ROUNDS = 40 };
static const char *way;

static int is(const char *word)
{
    return strcmp(way, word) == 0;
}

static void die(void)
{
    if (is("kill"))
        kill(getpid(), SIGKILL);
    if (is("abort"))
        abort();
    if (is("segv"))
        raise(SIGSEGV);
    if (is("exit"))
        _exit(9);
}

static void receive(void)
{
    int data[2], index, there = 0;
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Recv(&data[0], 1, MPI_INT, MPI_ANY_SOURCE, is("tag") ? MPI_ANY_TAG : 1, MPI_COMM_WORLD, &status);
    saw(data[0]);
    for (int k = 0; k < 2; k++)
        MPI_Irecv(&data[k], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[k]);
    MPI_Waitany(2, requests, &index, &status);
    saw(index);
    MPI_Wait(&requests[1 - index], &status);
    if (is("wait")) {
        MPI_Irecv(&data[0], 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[0]);
        MPI_Waitany(1, requests, &index, &status);
        return;
    }
    while (!there)
        MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &there, &status);
    MPI_Recv(&data[0], 1, MPI_INT, status.MPI_SOURCE, 3, MPI_COMM_WORLD, &status);
    saw(data[0]);
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "same";
    MPI_Init(&argc, &argv);
    look_around();
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 0) {
            for (int k = 1; k < size; k++)
                receive();
            if (i == ROUNDS / 2)
                die();
            continue;
        }
        dawdle(100);
        if (is("killed") && rank == 1 && i == ROUNDS / 2)
            kill(getpid(), SIGKILL);
        if (is("silent") && i == ROUNDS / 2)
            MPI_Recv(&i, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int tag = 0; tag < 4; tag++) {
            int out = 100 * rank + i;
            if (tag > 0)
                MPI_Send(&out, is("fewer") && i == ROUNDS / 2 ? 0 : 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
            if (tag == 2)
                MPI_Send(&out, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
        }
    }
    if (is("more"))
        MPI_Barrier(MPI_COMM_WORLD);
    print_saw();
    MPI_Finalize();
}
