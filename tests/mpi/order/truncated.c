/* The failure that strikes once in a hundred runs: of the messages that rank 0 takes from anybody,
 * each sender's last is too long for the room. In which round that is hit hangs on their order.
 *
 *     truncated FORM fatal|return
 *
 * FORM is how rank 0 receives: recv, sendrecv, irecv (and a wait), test, persistent, waitall,
 * waitany, testany or waitsome. Rank 0 writes each round into the file `rounds`, as a launcher
 * may lose the last words of who aborts. */
#include <string.h>

#include "saw.h"

enum { ROUNDS = 6 };
static MPI_Request persistent = MPI_REQUEST_NULL;

static int is(const char *form, const char *name)
{
    return strcmp(form, name) == 0;
}

static MPI_Request post(int *data)
{
    MPI_Request request;
    MPI_Irecv(data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    return request;
}

/* One of two requests, the other of which never completes, by one of the waits for several. */
static int one_of(const char *form, MPI_Request *both, MPI_Status *status)
{
    int index = 0, count = 0, flag = 0, code = MPI_SUCCESS;
    if (is(form, "waitany"))
        return MPI_Waitany(2, both, &index, status);
    if (is(form, "waitsome"))
        return MPI_Waitsome(2, both, &count, &index, status);
    while (code == MPI_SUCCESS && !flag)
        code = MPI_Testany(2, both, &index, &flag, status);
    return code;
}

static int take(const char *form, int *data, MPI_Status *status)
{
    MPI_Request both[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int code = MPI_SUCCESS, flag = 0, none = 0;
    if (is(form, "recv"))
        return MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status);
    if (is(form, "sendrecv"))
        return MPI_Sendrecv(&none, 1, MPI_INT, MPI_PROC_NULL, 0, data, 1, MPI_INT, MPI_ANY_SOURCE,
                            MPI_ANY_TAG, MPI_COMM_WORLD, status);
    if (is(form, "persistent")) {
        if (persistent == MPI_REQUEST_NULL)
            MPI_Recv_init(data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &persistent);
        MPI_Start(&persistent);
        return MPI_Wait(&persistent, status);
    }
    both[0] = post(data);
    if (is(form, "irecv"))
        return MPI_Wait(&both[0], status);
    if (is(form, "waitall")) {
        MPI_Status all[2] = {*status, *status};
        code = MPI_Waitall(2, both, all);
        *status = all[0];
        return code == MPI_ERR_IN_STATUS ? all[0].MPI_ERROR : code;
    }
    if (is(form, "test")) {
        while (code == MPI_SUCCESS && !flag)
            code = MPI_Test(&both[0], &flag, status);
        return code;
    }
    MPI_Irecv(&none, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, &both[1]);
    code = one_of(form, both, status);
    MPI_Cancel(&both[1]);
    MPI_Wait(&both[1], MPI_STATUS_IGNORE);
    return code;
}

static void receive(const char *form)
{
    static int data[2];
    FILE *rounds = fopen("rounds", "w");
    if (rounds == NULL)
        return;
    for (int i = 0; i < ROUNDS * (size - 1); i++) {
        MPI_Status status;
        memset(&status, 0, sizeof status);
        int code = take(form, data, &status), class = 0;
        MPI_Error_class(code, &class);
        fprintf(rounds, "%d: %s from %d with tag %d\n", i,
                class == MPI_SUCCESS ? "taken" : "failed", status.MPI_SOURCE, status.MPI_TAG);
        fflush(rounds);
    }
    fclose(rounds);
}

int main(int argc, char **argv)
{
    int data[2] = {1, 2};
    MPI_Init(&argc, &argv);
    look_around();
    if (argc > 2 && is(argv[2], "return"))
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        receive(argc > 1 ? argv[1] : "recv");
    for (int i = 0; rank > 0 && i < ROUNDS; i++) {
        dawdle(3000);
        MPI_Send(data, i == ROUNDS - 1 ? 2 : 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
    if (persistent != MPI_REQUEST_NULL)
        MPI_Request_free(&persistent);
    MPI_Finalize();
    return 0;
}
