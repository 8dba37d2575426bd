/* Requests complete some at a time. archive: messages 6 */
#include "../chapter.h"

int main(void) {
    begin();
    int values[6];
    MPI_Request requests[6];
    for (int k = 0; k < 6; k++) {
        values[k] = rank == 0 ? k : -1;
        if (rank == 0)
            MPI_Issend(&values[k], 1, MPI_INT, 1, k, MPI_COMM_WORLD, &requests[k]);
        else
            MPI_Irecv(&values[k], 1, MPI_INT, MPI_ANY_SOURCE, k, MPI_COMM_WORLD, &requests[k]);
    }
    int done = 0;
    while (done < 6) {
        int some, indices[6];
        MPI_Status statuses[6];
        MPI_Waitsome(6, requests, &some, indices, statuses);
        expect(some > 0);
        for (int k = 0; k < some; k++)
            expect(values[indices[k]] == indices[k]);
        for (int k = 0; k < some && rank == 1; k++)
            expect(statuses[k].MPI_TAG == indices[k] && statuses[k].MPI_SOURCE == 0);
        done += some;
    }
    return end();
}
