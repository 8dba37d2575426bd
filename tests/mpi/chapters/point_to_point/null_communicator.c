/* Calls on MPI_COMM_NULL are rejected. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    let_errors_return();
    int value = 1, flag;
    MPI_Comm none = MPI_COMM_NULL;
    expect(class_of(MPI_Send(&value, 1, MPI_INT, 0, 1, none)) == MPI_ERR_COMM);
    expect(class_of(MPI_Recv(&value, 1, MPI_INT, 0, 1, none, MPI_STATUS_IGNORE)) == MPI_ERR_COMM);
    expect(class_of(MPI_Iprobe(0, 1, none, &flag, MPI_STATUS_IGNORE)) == MPI_ERR_COMM);
    expect(class_of(MPI_Barrier(none)) == MPI_ERR_COMM);
    expect(class_of(MPI_Comm_dup(none, &none)) == MPI_ERR_COMM);
    return end();
}
