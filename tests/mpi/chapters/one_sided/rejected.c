/* Operations that MPI rejects, by the window's own handler. archive: messages 0 */
#include "../chapter.h"

static int calls;

static void handler(MPI_Win *win, int *error, ...) {
    (void)win, (void)error;
    calls++;
}

int main(void) {
    begin();
    int room = 4, value = 1;
    MPI_Win win;
    MPI_Errhandler mine;
    MPI_Win_create(&room, sizeof room, sizeof room, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create_errhandler(handler, &mine);
    MPI_Win_set_errhandler(win, mine);
    MPI_Win_fence(0, win);
    expect(MPI_Put(&value, 1, MPI_INT, size, 0, 1, MPI_INT, win) != MPI_SUCCESS);
    expect(calls == 1);
    MPI_Win_fence(0, win);
    expect(room == 4);
    MPI_Errhandler_free(&mine);
    MPI_Win_free(&win);
    return end();
}
