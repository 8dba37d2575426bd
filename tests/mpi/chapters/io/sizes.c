/* Sizes, modes, groups and atomicity. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_File file;
    MPI_Group group;
    MPI_Offset bytes;
    int mode, n, flag;
    MPI_File_open(MPI_COMM_WORLD, "sizes.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_set_size(file, 100);
    MPI_File_get_size(file, &bytes);
    expect(bytes == 100);
    MPI_File_preallocate(file, 200);
    MPI_File_get_size(file, &bytes);
    expect(bytes == 200);
    MPI_File_get_amode(file, &mode);
    expect(mode == (MPI_MODE_CREATE | MPI_MODE_RDWR));
    MPI_File_get_group(file, &group);
    MPI_Group_size(group, &n);
    expect(n == 2);
    MPI_Group_free(&group);
    MPI_File_set_atomicity(file, 1);
    MPI_File_get_atomicity(file, &flag);
    expect(flag);
    MPI_File_close(&file);
    return end();
}
