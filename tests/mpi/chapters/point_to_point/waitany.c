/* Requests complete one by one, whichever is first. archive: messages 5 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[5] = {0};
    MPI_Request requests[5];
    for (int k = 0; k < 5; k++) {
        values[k] = rank == 0 ? k : -1;
        if (rank == 0)
            MPI_Isend(&values[k], 1, MPI_INT, 1, 4 - k, MPI_COMM_WORLD, &requests[k]);
        else
            MPI_Irecv(&values[k], 1, MPI_INT, 0, 4 - k, MPI_COMM_WORLD, &requests[k]);
    }
    int seen = 0;
    for (int k = 0; k < 5; k++) {
        int index;
        MPI_Status status;
        MPI_Waitany(5, requests, &index, &status);
        expect(index >= 0 && index < 5 && requests[index] == MPI_REQUEST_NULL);
        expect(rank == 0 || (values[index] == index && status.MPI_TAG == 4 - index));
        seen |= 1 << index;
    }
    expect(seen == 31);
    return end();
}
