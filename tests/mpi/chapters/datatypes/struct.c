/* A structure of several types, in an array. archive: messages 1 */
#include "../chapter.h"
#include <stddef.h>

struct particle {
    char kind;
    double place[3];
    int number;
};

int main(void) {
    begin();
    struct particle two[2] = {{'a', {1, 2, 3}, 4}, {'b', {5, 6, 7}, 8}}, got[2];
    int lengths[3] = {1, 3, 1};
    MPI_Aint places[3] = {offsetof(struct particle, kind), offsetof(struct particle, place),
                          offsetof(struct particle, number)};
    MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT}, bare, type;
    MPI_Type_create_struct(3, lengths, places, types, &bare);
    MPI_Type_create_resized(bare, 0, sizeof(struct particle), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&bare);
    if (rank == 0) {
        MPI_Send(two, 2, type, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(got, 2, type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(got[1].kind == 'b' && got[1].place[2] == 7 && got[0].number == 4);
    }
    MPI_Type_free(&type);
    return end();
}
