/* Messages that are received from anybody in the program's callbacks, of an attribute and of a
 * reduction, and a counter in a window: what no record holds. */
#include "saw.h"

static int delete_attribute(MPI_Comm comm, int key, void *value, void *state)
{
    int data;
    MPI_Status status;
    (void)comm, (void)key, (void)value, (void)state;
    if (rank == 0) {
        MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
        saw(data);
    }
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, one = 1, got = 0, *counter = NULL;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &one);
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
    *counter = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&one, &got, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
    if (MPI_Wtime() < 0)
        saw(got);
    print_saw();
    MPI_Finalize();
    return 0;
}
