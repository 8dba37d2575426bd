/* Each writes its part, and reads the other's. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_File file;
    MPI_Status status;
    int value = rank + 1, got = 0, count;
    MPI_File_open(MPI_COMM_WORLD, "at.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, rank * sizeof(int), &value, 1, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(count == 1);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_read_at_all(file, !rank * sizeof(int), &got, 1, MPI_INT, MPI_STATUS_IGNORE);
    expect(got == !rank + 1);
    MPI_File_close(&file);
    expect(file == MPI_FILE_NULL);
    return end();
}
