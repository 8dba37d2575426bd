/* Files read and written within the call: at offsets, by each pointer, all together. */
#include "verdict.h"

int main(int argc, char **argv)
{
    char data[64], more[64], name[32];
    int open;
    MPI_File file, own;
    MPI_Status status;
    MPI_Datatype holes;
    begin(&argc, &argv);
    memset(data, 'a' + rank, sizeof data);

    /* There is none of this name. */
    open = MPI_File_open(MPI_COMM_WORLD, "absent", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    expect("an open of nothing", open == MPI_SUCCESS, 0);

    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
#if MPI_VERSION >= 4
    MPI_File_write_at_c(file, 64 * rank, data, 64, MPI_CHAR, MPI_STATUS_IGNORE);
#else
    MPI_File_write_at(file, 64 * rank, data, 64, MPI_CHAR, MPI_STATUS_IGNORE);
#endif
    moved[WRITTEN] += 64;
    MPI_File_write_at_all(file, 64 * (size + rank), data, 16, MPI_INT, &status);
    count(WRITTEN, &status, 64);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, 64 * (1 - rank), more, 64, MPI_CHAR, &status);
    count(READ, &status, 64);
    expect("what the other wrote", more[63], 'a' + 1 - rank);

    /* Only half of it is there. */
    MPI_File_read_at(file, 256 - 32, more, 64, MPI_CHAR, &status);
    count(READ, &status, 32);

    MPI_File_seek(file, 8, MPI_SEEK_SET);
    MPI_File_read(file, more, 8, MPI_CHAR, MPI_STATUS_IGNORE);
    moved[READ] += 8;
    MPI_File_seek(file, -4, MPI_SEEK_CUR);
    MPI_File_read_all(file, more, 8, MPI_CHAR, &status);
    count(READ, &status, 8);
    MPI_File_seek(file, -256, MPI_SEEK_END);
    MPI_File_seek(file, 64 * rank, MPI_SEEK_CUR);
    MPI_Type_vector(4, 1, 2, MPI_INT, &holes);
    MPI_Type_commit(&holes);
    MPI_File_write(file, data, 1, holes, MPI_STATUS_IGNORE);
    moved[WRITTEN] += 16;
    MPI_Type_free(&holes);
    MPI_File_write_all(file, data, 0, MPI_CHAR, &status);
    count(WRITTEN, &status, 0);

    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_shared(file, data, 4, MPI_CHAR, MPI_STATUS_IGNORE);
    moved[WRITTEN] += 4;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_ordered(file, data, 12, MPI_CHAR, &status);
    count(WRITTEN, &status, 12);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_shared(file, more, 4, MPI_CHAR, &status);
    count(READ, &status, 4);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_ordered(file, more, 2, MPI_CHAR, MPI_STATUS_IGNORE);
    moved[READ] += 2;
    MPI_File_close(&file);

    /* Each its own. */
    snprintf(name, sizeof name, "own-%d", rank);
    MPI_File_open(MPI_COMM_SELF, name,
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_EXCL | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &own);
    MPI_File_write(own, data, 10 + rank, MPI_BYTE, MPI_STATUS_IGNORE);
    moved[WRITTEN] += 10 + rank;
    MPI_File_close(&own);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_File_delete("data", MPI_INFO_NULL);
    return end();
}
