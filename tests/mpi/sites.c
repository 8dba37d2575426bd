/* Calls MPI from many kinds of places and prints each: `site FUNCTION LINE`. Compiled once more
 * with -DLIBRARY it is a library that the program loads while it runs (first argument). With
 * a second argument the program kills itself before MPI_Finalize. */
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Of a call in tail position gcc makes a jump: then nothing knows where it stood. */
#define RETURNS __attribute__((noinline, optimize("no-optimize-sibling-calls")))

static int rank;

/* Prints where a call stands, and makes it: on rank 0, so that each is printed once. */
#define AT(function, ...) (here(#function, __LINE__), function(__VA_ARGS__))

static void here(const char *function, int line)
{
    if (rank == 0) {
        printf("site %s %d\n", function, line);
        fflush(stdout);
    }
}

#ifdef LIBRARY

RETURNS void library(int world_rank)
{
    rank = world_rank;
    AT(MPI_Barrier, MPI_COMM_WORLD);
}

#else

static int out = 7, in;

static inline __attribute__((always_inline)) void inlined(void)
{
    AT(MPI_Bcast, &in, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static __attribute__((noinline)) void apart(int to)
{
    AT(MPI_Sendrecv, &out, 1, MPI_INT, to, 0, &in, 1, MPI_INT,
       to, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* arguments on the stack, too */
}

static RETURNS int last(void)
{
    return AT(MPI_Allreduce, &out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank); /* not printed */
    inlined();
    for (int i = 0; i < 3; i++)
        AT(MPI_Barrier, MPI_COMM_WORLD);
    inlined(); /* the same line, another place */
    apart(0);
    last();
    AT(MPI_Barrier, MPI_COMM_WORLD), AT(MPI_Barrier, MPI_COMM_WORLD);
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void (*call)(int) = library ? (void (*)(int))dlsym(library, "library") : NULL;
    if (!call)
        return fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "no library"), 1;
    call(rank);
    if (argc > 2)
        kill(getpid(), SIGKILL);
    MPI_Finalize();
}

#endif
