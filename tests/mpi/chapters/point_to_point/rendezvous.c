/* A message too long to be sent before its receive, both ways. archive: messages 2 */
#include "../chapter.h"

enum { COUNT = 1 << 19 };

int main(void) {
    begin();
    double *out = malloc(COUNT * sizeof *out), *in = malloc(COUNT * sizeof *in);
    MPI_Request requests[2];
    for (int k = 0; k < COUNT; k++)
        out[k] = rank + k;
    MPI_Irecv(in, COUNT, MPI_DOUBLE, !rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, COUNT, MPI_DOUBLE, !rank, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect(in[0] == !rank && in[COUNT - 1] == !rank + COUNT - 1);
    free(out);
    free(in);
    return end();
}
