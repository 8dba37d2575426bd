/* Memory that others write to, after a message: what a record of one rank cannot hold. */
#include "saw.h"

int main(int argc, char **argv)
{
    int value = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
    MPI_Finalize();
}
