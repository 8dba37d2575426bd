/* MPI's functions by pointers, and by the loader's names. archive: messages 2 */
#define _GNU_SOURCE
#include "../chapter.h"
#include <dlfcn.h>

typedef int Barrier(MPI_Comm);

int main(void) {
    begin();
    int got, (*exchange)(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int,
                         int, MPI_Comm, MPI_Status *) = MPI_Sendrecv;
    exchange(&rank, 1, MPI_INT, !rank, 1, &got, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    expect(got == !rank);
    Barrier *barrier = (Barrier *)dlsym(RTLD_DEFAULT, "MPI_Barrier");
    expect(barrier == MPI_Barrier && barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
    return end();
}
