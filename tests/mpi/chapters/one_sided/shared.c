/* Memory that both have. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int *mine, *other, unit;
    MPI_Aint bytes;
    MPI_Win win;
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, !rank, &bytes, &unit, &other);
    expect(bytes == sizeof(int) && unit == sizeof(int));
    MPI_Win_lock_all(0, win);
    *mine = rank + 5;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    expect(*other == !rank + 5);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    return end();
}
