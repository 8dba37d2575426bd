/* Calls what the MPI library has beyond the standard, besides sending round the ring. */
#include "count.h"
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

int main(int argc, char **argv)
{
    int got;
    MPI_Init(&argc, &argv);
    look_around();
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(got == left);
#ifdef OPEN_MPI
    MPI_Request request;
    MPIX_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
#else
    int flag = 1;
    MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
    CHECK(flag == 1);
#endif
    MPI_Finalize();
    return 0;
}
