/* Operations that fetch: each number is drawn once. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    long *room, one = 1, drawn[4], sum = 0, all, before, next = 99;
    MPI_Win win;
    MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &room, &win);
    *room = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int k = 0; k < 4; k++) {
        MPI_Fetch_and_op(&one, &drawn[k], MPI_LONG, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        sum += drawn[k];
    }
    MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    expect(all == 28);
    before = 8;
    if (rank == 1) {
        MPI_Compare_and_swap(&next, &before, &all, MPI_LONG, 0, 0, win);
        MPI_Win_flush(0, win);
        expect(all == 8);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get_accumulate(NULL, 0, MPI_LONG, &all, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_NO_OP, win);
    MPI_Win_flush_all(win);
    expect(all == 99);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    return end();
}
