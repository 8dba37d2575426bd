/* Messages sent and received while an attribute is copied and deleted.
 *
 * ranks: 2 */
#include "line.h"

static int copy(MPI_Comm of, int key, void *state, void *in, void *out, int *flag)
{
    (void)of, (void)key, (void)state, (void)in, (void)out;
    talk(3);
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm of, int key, void *value, void *state)
{
    (void)of, (void)key, (void)value, (void)state;
    talk(3);
    return MPI_SUCCESS;
}

int main(void)
{
    int key;
    MPI_Comm again;
    begin(2);
    MPI_Comm_create_keyval(copy, delete, &key, NULL);
    talk(5);
    MPI_Comm_set_attr(WORLD, key, NULL);
    MPI_Comm_dup(WORLD, &again);
    talk(5);
    MPI_Comm_free(&again);
    talk(5);
    MPI_Comm_delete_attr(WORLD, key);
    talk(5);
    MPI_Finalize();
}
