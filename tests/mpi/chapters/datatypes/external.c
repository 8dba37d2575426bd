/* Packed in the form that all machines read. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    unsigned char room[16];
    int value = 0x01020304, got = 0;
    MPI_Aint place = 0, bytes;
    MPI_Pack_external_size("external32", 1, MPI_INT, &bytes);
    expect(bytes == 4);
    MPI_Pack_external("external32", &value, 1, MPI_INT, room, sizeof room, &place);
    expect(place == 4 && room[0] == 1 && room[3] == 4);
    place = 0;
    MPI_Unpack_external("external32", room, sizeof room, &place, &got, 1, MPI_INT);
    expect(got == value);
    return end();
}
