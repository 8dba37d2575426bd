/* Epochs of groups: rank 1 exposes its part to rank 0, three times; once it comes 200 ms late to
 * the post, once rank 0 comes late to the complete, once rank 1 polls. */
#include "verdict.h"

int main(int argc, char **argv)
{
    int memory[3] = {-1, -1, -1}, others[1], done;
    MPI_Win window;
    MPI_Group world, peer;
    begin(&argc, &argv);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    others[0] = 1 - rank;
    if (rank < 2)
        MPI_Group_incl(world, 1, others, &peer);
    for (int round = 0; round < 3 && rank < 2; round++) {
        int value = 10 + round;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            MPI_Win_start(peer, 0, window); /* START */
            MPI_Put(&value, 1, MPI_INT, 1, round, 1, MPI_INT, window);
            if (round == 1)
                doze(200);
            MPI_Win_complete(window); /* LATE POST */
            continue;
        }
        if (round == 0)
            doze(200);
        MPI_Win_post(peer, 0, window);
        if (round < 2)
            MPI_Win_wait(window); /* LATE COMPLETE */
        else
            for (done = 0; !done;)
                MPI_Win_test(window, &done);
        expect("what was put", memory[round], value);
    }
    if (rank < 2)
        MPI_Group_free(&peer);
    MPI_Group_free(&world);
    MPI_Win_free(&window);
    return end();
}
