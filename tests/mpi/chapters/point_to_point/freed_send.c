/* Sends whose requests are freed at once still bring their messages. archive: messages 3 */
#include "../chapter.h"

int main(void) {
    begin();
    static int values[3] = {1, 2, 3};
    int got[3] = {0};
    if (rank == 0) {
        MPI_Request request;
        for (int k = 0; k < 3; k++) {
            MPI_Isend(&values[k], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
            MPI_Request_free(&request);
            expect(request == MPI_REQUEST_NULL);
        }
    } else {
        for (int k = 0; k < 3; k++)
            MPI_Recv(&got[k], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(got[0] == 1 && got[1] == 2 && got[2] == 3);
    }
    return end();
}
