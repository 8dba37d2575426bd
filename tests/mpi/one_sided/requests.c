/* Operations with requests under a lock of all parts, waited for in several ways. */
#include "verdict.h"

int main(int argc, char **argv)
{
    long *memory, value[2] = {0}, got = 0, old = 0;
    int done = 0;
    MPI_Win window;
    MPI_Request requests[4];
    begin(&argc, &argv);
    MPI_Win_allocate(4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
    for (int k = 0; k < 4; k++)
        memory[k] = rank;
    MPI_Win_unlock(rank, window);
    MPI_Barrier(MPI_COMM_WORLD);
    int next = (rank + 1) % size;
    value[0] = 10 + rank;
    value[1] = 20 + rank;
    MPI_Win_lock_all(0, window);
    MPI_Rput(value, 1, MPI_LONG, next, 0, 1, MPI_LONG, window, &requests[0]);
    MPI_Rput(value, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, window, &requests[1]);
    MPI_Rget(&got, 1, MPI_LONG, next, 3, 1, MPI_LONG, window, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    expect("what was got", got, next);
    MPI_Raccumulate(&value[1], 1, MPI_LONG, next, 1, 1, MPI_LONG, MPI_SUM, window, &requests[0]);
    while (!done)
        MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
    MPI_Rget_accumulate(value, 1, MPI_LONG, &old, 1, MPI_LONG, next, 2, 1, MPI_LONG, MPI_SUM, window,
                        &requests[3]);
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    expect("what was there before", old, next);
    /* Freed, it completes with the rest. */
    MPI_Rput(value, 1, MPI_LONG, next, 3, 1, MPI_LONG, window, &requests[0]);
    MPI_Win_flush(next, window);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    int before = (rank + size - 1) % size;
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
    expect("what was put", memory[0], 10 + before);
    expect("the sum", memory[1], 20 + before + rank);
    expect("the other sum", memory[2], 10 + before + rank);
    MPI_Win_unlock(rank, window);
    MPI_Win_free(&window);
    return end();
}
