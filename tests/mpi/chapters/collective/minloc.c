/* Pairs of value and place, and logical and bitwise operations. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    struct {
        double value;
        int place;
    } mine = {rank == 0 ? 2.5 : 1.5, rank}, least;
    int bits = 1 << rank, got;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    expect(least.value == 1.5 && least.place == 1);
    MPI_Allreduce(&bits, &got, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    expect(got == 3);
    MPI_Allreduce(&rank, &got, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    expect(got == 0);
    return end();
}
