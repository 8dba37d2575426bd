/* Packed by one, unpacked by the other. archive: messages 1 */
#include "../chapter.h"

int main(void) {
    begin();
    char room[100];
    int place = 0, count = 3, bytes;
    double values[3] = {1, 2, 3};
    MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &bytes);
    expect(bytes >= (int)sizeof(int));
    if (rank == 0) {
        MPI_Pack(&count, 1, MPI_INT, room, sizeof room, &place, MPI_COMM_WORLD);
        MPI_Pack(values, 3, MPI_DOUBLE, room, sizeof room, &place, MPI_COMM_WORLD);
        MPI_Send(room, place, MPI_PACKED, 1, 1, MPI_COMM_WORLD);
    } else {
        count = 0;
        memset(values, 0, sizeof values);
        MPI_Recv(room, sizeof room, MPI_PACKED, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Unpack(room, sizeof room, &place, &count, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(room, sizeof room, &place, values, 3, MPI_DOUBLE, MPI_COMM_WORLD);
        expect(count == 3 && values[2] == 3);
    }
    return end();
}
