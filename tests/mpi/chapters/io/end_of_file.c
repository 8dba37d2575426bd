/* A read across the end gets what there is. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_File file;
    MPI_Status status;
    int values[2] = {1, 2}, got[4] = {0}, count;
    char name[] = "end0.data";
    name[3] += rank;
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write(file, values, 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read(file, got, 4, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(count == 2 && got[0] == 1 && got[1] == 2);
    MPI_File_close(&file);
    return end();
}
