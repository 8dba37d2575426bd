/* Polls by MPI_Win_test: how often they say no hangs on when the others end their accesses, and
 * each rank does something else for each of them. */
#include "saw.h"

int main(int argc, char **argv)
{
    int *memory = NULL, others[1];
    MPI_Win window;
    MPI_Group world, origin, target;
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    others[0] = 1;
    MPI_Group_incl(world, 1, others, &origin);
    others[0] = 0;
    MPI_Group_incl(world, 1, others, &target);
    for (int round = 0; round < 10; round++) {
        if (rank == 0) {
            int done = 0;
            long polls = 0;
            MPI_Win_post(origin, 0, window);
            for (; !done; polls++)
                MPI_Win_test(window, &done);
            saw(polls);
            saw(memory[0]);
            /* What follows hangs on what was seen: in another run it is another message. */
            MPI_Send(&round, 1, MPI_INT, 1, (int)(polls % 1000), MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Win_start(target, 0, window);
            dawdle(3000);
            MPI_Put(&round, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
            MPI_Win_complete(window);
            MPI_Recv(&round, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Win_free(&window);
    MPI_Group_free(&origin);
    MPI_Group_free(&target);
    MPI_Group_free(&world);
    print_saw();
    MPI_Finalize();
    return 0;
}
