/* Put, get and accumulate between fences. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    /* Debian's MPICH 4.0 writes beside what lies on the stack or is static. */
    int *room = malloc(3 * sizeof *room), got = -1, one = 1;
    room[0] = room[2] = -1;
    room[1] = 10 * rank;
    MPI_Win win;
    MPI_Win_create(room, 3 * sizeof *room, sizeof *room, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, !rank, 0, 1, MPI_INT, win);
    MPI_Get(&got, 1, MPI_INT, !rank, 1, 1, MPI_INT, win);
    MPI_Accumulate(&one, 1, MPI_INT, !rank, 2, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    expect(room[0] == !rank && got == 10 * !rank && room[2] == 0);
    MPI_Win_free(&win);
    free(room);
    expect(win == MPI_WIN_NULL);
    return end();
}
