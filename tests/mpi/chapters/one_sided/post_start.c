/* Epochs of two groups: post, start, complete, wait. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int *room = malloc(sizeof *room), other = !rank;
    MPI_Win win;
    MPI_Group world, peer;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &peer);
    *room = -1; /* of the heap: see fence.c */
    MPI_Win_create(room, sizeof *room, sizeof *room, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_start(peer, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(peer, 0, win);
        MPI_Win_wait(win);
        expect(*room == 0);
    }
    MPI_Win_free(&win);
    free(room);
    MPI_Group_free(&peer);
    MPI_Group_free(&world);
    return end();
}
