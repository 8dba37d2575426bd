/* Files read and written while the program goes on: with requests, and between two calls. */
#include "verdict.h"

int main(int argc, char **argv)
{
    char data[64], more[64];
    int done = 0;
    MPI_File file;
    MPI_Status status, statuses[2];
    MPI_Request requests[2];
    begin(&argc, &argv);
    memset(data, 'a' + rank, sizeof data);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);

    MPI_File_iwrite_at(file, 64 * rank, data, 64, MPI_CHAR, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    moved[WRITTEN] += 64;
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_iread_at(file, 64 * (1 - rank), more, 64, MPI_CHAR, &requests[0]);
    while (!done)
        MPI_Test(&requests[0], &done, &status);
    count(READ, &status, 64);
    expect("what the other wrote", more[63], 'a' + 1 - rank);

    /* Not beyond the end: Open MPI 4.1.4 would wait for ever. */
    MPI_File_iread_at(file, 128 - 32, more + 32, 32, MPI_CHAR, &requests[0]);
    MPI_File_iread_at(file, 0, more, 8, MPI_CHAR, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    count(READ, &statuses[0], 32);
    count(READ, &statuses[1], 8);

    MPI_File_seek(file, 16 * rank, MPI_SEEK_SET);
    MPI_File_iwrite(file, data, 16, MPI_CHAR, &requests[0]);
    MPI_Waitany(1, requests, &done, MPI_STATUS_IGNORE);
    moved[WRITTEN] += 16;
    MPI_File_iread(file, more, 4, MPI_CHAR, &requests[0]);
    MPI_Wait(&requests[0], &status);
    count(READ, &status, 4);
    MPI_File_iwrite_at_all(file, 64 * rank, data, 32, MPI_CHAR, &requests[0]);
    MPI_Wait(&requests[0], &status);
    count(WRITTEN, &status, 32);
    MPI_File_iread_at_all(file, 64 * rank, more, 32, MPI_CHAR, &requests[0]);
    MPI_Wait(&requests[0], &status);
    count(READ, &status, 32);

    MPI_File_write_at_all_begin(file, 64 * rank, data, 64, MPI_CHAR);
    MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE);
    moved[WRITTEN] += 64;
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all_begin(file, more, 10, MPI_CHAR);
    MPI_File_read_all_end(file, more, &status);
    count(READ, &status, 10);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered_begin(file, more, 6, MPI_CHAR);
    MPI_File_read_ordered_end(file, more, &status);
    count(READ, &status, 6);
    MPI_File_close(&file);
    return end();
}
