/* Rank 0 writes a file while the others wait. */
#include "plant.h"

enum { ROUNDS = 16, BYTES = 32 << 20 };

int main(int argc, char **argv)
{
    int rank;
    MPI_File file = MPI_FILE_NULL;
    char *data = calloc(BYTES, 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_File_open(MPI_COMM_SELF, "checkpoint", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 0)
            MPI_File_write_at(file, 0, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE); /* PLANT */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        MPI_File_close(&file);
    MPI_Finalize();
    free(data);
    return 0;
}
