/* Operations that MPI rejects on all, and the next works. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    let_errors_return();
    int value = rank, sum = 0;
    expect(class_of(MPI_Bcast(&value, 1, MPI_INT, size, MPI_COMM_WORLD)) == MPI_ERR_ROOT);
    expect(class_of(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD)) ==
           MPI_ERR_OP);
    expect(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
    expect(sum == 1);
    return end();
}
