/* An error handler that jumps: out of a send to a rank that there is none of, a receive and a wait
 * whose messages are too long. With "silent" the handler asks MPI nothing; with "threads" MPI is
 * initialised for many. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf back;
static int silent, rank, failures, code;
static int values[] = {7, 8, 9, 10}, small;
static MPI_Request request;
static MPI_Status status;

static void jumper(MPI_Comm *comm, int *error, ...)
{
    int error_class;
    (void)comm;
    if (!silent)
        MPI_Error_class(*error, &error_class);
    code = *error;
    longjmp(back, 1);
}

static void wrong_send(void)
{
    MPI_Send(values, 1, MPI_INT, 999, 0, MPI_COMM_WORLD); /* send */
    failures++; /* it returned */
}

static void short_receive(void)
{
    MPI_Recv(&small, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status); /* recv */
    failures++; /* it returned */
}

static void short_wait(void)
{
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* wait */
    failures++; /* it returned */
}

/* Makes a call that is to end with an error of this class. */
static void expect(const char *name, int expected, void (*call)(void))
{
    int error_class = MPI_SUCCESS;
    if (!setjmp(back))
        call();
    else
        MPI_Error_class(code, &error_class);
    if (error_class != expected) {
        printf("rank %d: %s ended with class %d\n", rank, name, error_class);
        failures++;
    }
}

static void receives(void)
{
    expect("MPI_Recv", MPI_ERR_TRUNCATE, short_receive);
    failures += status.MPI_SOURCE != 0 || status.MPI_TAG != 1;
    MPI_Irecv(&small, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
    expect("MPI_Wait", MPI_ERR_TRUNCATE, short_wait);
    MPI_Recv(&small, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status); /* after */
    failures += small != 7 || status.MPI_SOURCE != 0;
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    int level = argc > 1 && !strcmp(argv[1], "threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, level, &level);
    silent = argc > 1 && !strcmp(argv[1], "silent");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(jumper, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    expect("MPI_Send", MPI_ERR_RANK, wrong_send);
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
