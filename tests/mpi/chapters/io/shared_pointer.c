/* One pointer for both, in turn and in order. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_File file;
    MPI_Offset place;
    int got = -1;
    MPI_File_open(MPI_COMM_WORLD, "shared.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_shared(file, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
    expect(got == 0 || got == 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(file, &place);
    expect(place == (MPI_Offset)(2 * sizeof(int)));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);
    return end();
}
