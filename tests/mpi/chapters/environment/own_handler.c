/* The program's own error handler is called, with its own arguments, once for each error. archive: messages 0 */
#include "../chapter.h"

static int calls, last;

static void handler(MPI_Comm *comm, int *error, ...) {
    int n;
    expect(*comm == MPI_COMM_WORLD);
    MPI_Comm_size(*comm, &n);
    calls++;
    last = class_of(*error);
}

int main(void) {
    begin();
    MPI_Errhandler mine, got;
    int value = 0;
    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
    expect(got == mine);
    MPI_Errhandler_free(&got);
    MPI_Send(&value, -1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    expect(calls == 1 && last == MPI_ERR_COUNT);
    MPI_Bcast(&value, 1, MPI_INT, size, MPI_COMM_WORLD);
    expect(calls == 2 && last == MPI_ERR_ROOT);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    expect(calls == 3 && last == MPI_ERR_OTHER);
    MPI_Errhandler_free(&mine);
    return end();
}
