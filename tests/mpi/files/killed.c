/* Rank 1 is killed after it has written, while it reads on; rank 0 waits for it in vain. */
#include "verdict.h"
#include <signal.h>

int main(int argc, char **argv)
{
    char data[64], more[64];
    MPI_File file;
    MPI_Request request;
    begin(&argc, &argv);
    memset(data, 'a' + rank, sizeof data);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 64 * rank, data, 64, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 64 * rank, more, 32, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_File_iread_at(file, 64, more, 8, MPI_CHAR, &request);
        raise(SIGKILL);
    }
    MPI_File_close(&file);
    return end();
}
