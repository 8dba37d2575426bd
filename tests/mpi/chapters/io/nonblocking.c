/* Reads and writes with requests. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_File file;
    MPI_Request request;
    MPI_Status status;
    int value = rank + 1, got = 0, count, flag = 0;
    MPI_File_open(MPI_COMM_WORLD, "nonblocking.data", MPI_MODE_CREATE | MPI_MODE_RDWR,
                  MPI_INFO_NULL, &file);
    MPI_File_iwrite_at(file, rank * sizeof(int), &value, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(count == 1);
    MPI_File_iread_at(file, rank * sizeof(int), &got, 1, MPI_INT, &request);
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    expect(got == value);
    MPI_File_iwrite_at_all(file, rank * sizeof(int), &value, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return end();
}
