/* A callback of one rank sends what another receives outside of any.
 *
 * ranks: 2 */
#include "line.h"

static int copy(MPI_Comm of, int key, void *state, void *in, void *out, int *flag)
{
    (void)of, (void)key, (void)state, (void)in, (void)out;
    for (int i = 0; i < 4; i++)
        say(i, 1, WORLD);
    *flag = 0;
    return MPI_SUCCESS;
}

int main(void)
{
    int key;
    MPI_Comm again;
    begin(2);
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    talk(5);
    if (rank == 0) {
        MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
        MPI_Comm_dup(MPI_COMM_SELF, &again);
        MPI_Comm_free(&again);
        MPI_Comm_delete_attr(MPI_COMM_SELF, key);
    } else {
        for (int i = 0; i < 4; i++)
            hear(i, WORLD);
    }
    talk(5);
    MPI_Finalize();
}
