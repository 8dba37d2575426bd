/* Recording is off for a while: one file is opened meanwhile, one is read and written,
 * and operations go on from before it to within it, and from within it to after it. */
#include "verdict.h"

int main(int argc, char **argv)
{
    char data[64], more[64];
    MPI_File file, unseen;
    MPI_Request before, between;
    begin(&argc, &argv);
    memset(data, 'a' + rank, sizeof data);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 64 * rank, data, 64, MPI_CHAR, MPI_STATUS_IGNORE);
    moved[WRITTEN] += 64;
    MPI_File_iread_at(file, 64 * rank, more, 8, MPI_CHAR, &before);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    MPI_Wait(&before, MPI_STATUS_IGNORE);
    MPI_File_open(MPI_COMM_WORLD, "unseen", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &unseen);
    MPI_File_write_at(file, 64 * rank, data, 64, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, 64 * rank, more, 8, MPI_CHAR, &between);
    MPI_Pcontrol(1);
    MPI_Wait(&between, MPI_STATUS_IGNORE);
    MPI_File_write_at(unseen, 16 * rank, data, 16, MPI_CHAR, MPI_STATUS_IGNORE);
    moved[WRITTEN] += 16;
    MPI_File_close(&unseen);
    MPI_File_close(&file);
    return end();
}
