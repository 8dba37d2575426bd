/* Operations with requests. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int *room, got = -1, mine = rank + 1;
    MPI_Win win;
    MPI_Request request;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &room, &win);
    room[0] = room[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Rput(&mine, 1, MPI_INT, !rank, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Raccumulate(&mine, 1, MPI_INT, !rank, 1, 1, MPI_INT, MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(!rank, win);
    MPI_Rget(&got, 1, MPI_INT, !rank, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(got == mine);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    return end();
}
