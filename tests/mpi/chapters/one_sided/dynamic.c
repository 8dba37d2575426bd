/* Memory that is attached later. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    int room = -1;
    MPI_Win win;
    MPI_Aint mine, other;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, &room, sizeof room);
    MPI_Get_address(&room, &mine);
    MPI_Sendrecv(&mine, 1, MPI_AINT, !rank, 1, &other, 1, MPI_AINT, !rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, !rank, other, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    expect(room == !rank);
    MPI_Win_detach(win, &room);
    MPI_Win_free(&win);
    return end();
}
