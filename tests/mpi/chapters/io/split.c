/* Reads and writes in two parts. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_File file;
    MPI_Status status;
    int value = rank + 1, got = 0, count;
    MPI_File_open(MPI_COMM_WORLD, "split.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at_all_begin(file, rank * sizeof(int), &value, 1, MPI_INT);
    MPI_File_write_at_all_end(file, &value, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(count == 1);
    MPI_File_seek(file, rank * sizeof(int), MPI_SEEK_SET);
    MPI_File_read_all_begin(file, &got, 1, MPI_INT);
    MPI_File_read_all_end(file, &got, MPI_STATUS_IGNORE);
    expect(got == value);
    MPI_File_close(&file);
    return end();
}
