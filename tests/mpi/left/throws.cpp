/* An error handler that throws: out of a send to a rank that there is none of, a receive and a
 * wait whose messages are too long. Ranks beyond the second only send wrongly. With an argument
 * the handler asks MPI nothing. */
#include <mpi.h>

#include <cstdio>

struct Thrown {
    int code;
};
static bool silent;
static int rank, failures;

static void thrower(MPI_Comm *, int *code, ...)
{
    int error_class = MPI_SUCCESS;
    if (!silent)
        MPI_Error_class(*code, &error_class);
    throw Thrown{*code};
}

/* Makes a call that is to end with an error of this class. */
template <class Call> static void expect(const char *name, int expected, Call call)
{
    int error_class = MPI_SUCCESS;
    try {
        call();
    } catch (const Thrown &thrown) {
        MPI_Error_class(thrown.code, &error_class);
    }
    if (error_class != expected) {
        printf("rank %d: %s ended with class %d\n", rank, name, error_class);
        failures++;
    }
}

static void receives()
{
    int small = 0;
    expect("MPI_Recv", MPI_ERR_TRUNCATE, [&] {
        MPI_Recv(&small, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* recv */
    });
    MPI_Request request;
    MPI_Irecv(&small, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
    expect("MPI_Wait", MPI_ERR_TRUNCATE, [&] {
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* wait */
    });
    MPI_Status status;
    MPI_Recv(&small, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status); /* after */
    failures += small != 7 || status.MPI_SOURCE != 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    silent = argc > 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(thrower, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    int values[] = {7, 8, 9, 10};
    expect("MPI_Send", MPI_ERR_RANK, [&] {
        MPI_Send(values, 1, MPI_INT, 999, 0, MPI_COMM_WORLD); /* send */
    });
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Send(values, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(values, 4, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Send(values, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    } else if (rank == 1) {
        receives();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Errhandler_free(&handler);
    printf("rank %d: %s\n", rank, failures ? "wrong" : "ok");
    MPI_Finalize();
    return failures != 0;
}
