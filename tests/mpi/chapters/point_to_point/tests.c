/* Each way to test: alone, all, any, some. archive: messages 4 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[4], flag = 0, index, some = 0, indices[1];
    MPI_Request requests[4];
    for (int k = 0; k < 4; k++) {
        values[k] = rank == 0 ? k : -1;
        if (rank == 0)
            MPI_Isend(&values[k], 1, MPI_INT, 1, k, MPI_COMM_WORLD, &requests[k]);
        else
            MPI_Irecv(&values[k], 1, MPI_INT, 0, k, MPI_COMM_WORLD, &requests[k]);
    }
    while (!flag)
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    for (flag = 0; !flag;)
        MPI_Testall(1, &requests[1], &flag, MPI_STATUSES_IGNORE);
    for (flag = 0; !flag;)
        MPI_Testany(1, &requests[2], &index, &flag, MPI_STATUS_IGNORE);
    expect(index == 0);
    while (some == 0)
        MPI_Testsome(1, &requests[3], &some, indices, MPI_STATUSES_IGNORE);
    expect(some == 1 && indices[0] == 0);
    for (int k = 0; k < 4; k++)
        expect(values[k] == k && requests[k] == MPI_REQUEST_NULL);
    return end();
}
