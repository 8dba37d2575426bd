/* Procedures whose time a profile may get wrong.
 *
 * `work` takes as long as its argument says, and is called from two places:
 * one asks for much, one for little. `down` calls itself; `ping` and `pong`
 * call each other: their time counts once, where the cycle is entered. The
 * times are those of sleeping, so that a busy machine does not matter much. */
#include <mpi.h>
#include <time.h>

static void work(int milliseconds)
{
    struct timespec t = {0, milliseconds * 1000000L};
    nanosleep(&t, 0);
}

static void down(int depth)
{
    work(1);
    if (depth > 1)
        down(depth - 1);
}

static void pong(int depth);

static void ping(int depth)
{
    work(1);
    if (depth > 1)
        pong(depth - 1);
}

static void pong(int depth)
{
    work(1);
    if (depth > 1)
        ping(depth - 1);
}

static void cheap(void)
{
    for (int i = 0; i < 5; i++)
        work(1);
}

static void dear(void)
{
    for (int i = 0; i < 5; i++)
        work(20);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    cheap();
    dear();
    down(4);
    ping(4);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
