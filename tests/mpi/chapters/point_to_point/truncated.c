/* A message is longer than its receive: an error, and the next one comes. archive: messages 2 */
#include "../chapter.h"

int main(void) {
    begin();
    let_errors_return();
    int values[4] = {1, 2, 3, 4}, got[4] = {0};
    if (rank == 0) {
        MPI_Send(values, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(values, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        int error = MPI_Recv(got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(class_of(error) == MPI_ERR_TRUNCATE);
        error = MPI_Recv(got, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(error == MPI_SUCCESS && got[0] == 1 && got[1] == 2 && got[2] == 0);
    }
    return end();
}
