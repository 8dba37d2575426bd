/* What MPI says of itself by attributes. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    expect(flag && *value >= 32767);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
    expect(flag && (*value == 0 || *value == 1));
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag);
    expect(!flag || *value >= 1);
    return end();
}
