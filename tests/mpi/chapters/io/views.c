/* Each sees every second number. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_File file;
    MPI_Datatype every_second, view;
    MPI_Offset place;
    int mine[3], got[6], bytes;
    MPI_Type_vector(3, 1, 2, MPI_INT, &every_second);
    MPI_Type_create_resized(every_second, 0, 6 * sizeof(int), &view);
    MPI_Type_commit(&view);
    for (int k = 0; k < 3; k++)
        mine[k] = 2 * k + rank;
    MPI_File_open(MPI_COMM_WORLD, "views.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, rank * sizeof(int), MPI_INT, view, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, mine, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_byte_offset(file, 1, &place);
    expect(place == (MPI_Offset)((2 + rank) * sizeof(int)));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_all(file, got, sizeof got, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_size(view, &bytes);
    expect(bytes == 3 * (int)sizeof(int));
    for (int k = 0; k < 6; k++)
        expect(got[k] == k);
    MPI_File_close(&file);
    MPI_Type_free(&every_second);
    MPI_Type_free(&view);
    return end();
}
