/* A file that is not there, one that may not be written, and one that is deleted. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_File file;
    int value = 1, error;
    error = MPI_File_open(MPI_COMM_WORLD, "nowhere.data", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    expect(class_of(error) == MPI_ERR_NO_SUCH_FILE);
    MPI_File_open(MPI_COMM_WORLD, "rejected.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &file);
    error = MPI_File_read(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    expect(error != MPI_SUCCESS && value == 1);
    MPI_File_close(&file);
    if (rank == 0)
        expect(MPI_File_delete("rejected.data", MPI_INFO_NULL) == MPI_SUCCESS);
    return end();
}
