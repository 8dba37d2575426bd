/* A preloaded library whose wrappers do nothing: what interposition itself costs. */
#include <mpi.h>

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return PMPI_Send(data, n, type, to, tag, comm);
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Isend(data, n, type, to, tag, comm, request);
}

int MPI_Irecv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Irecv(data, n, type, from, tag, comm, request);
}

int MPI_Waitall(int n, MPI_Request *requests, MPI_Status *statuses)
{
    return PMPI_Waitall(n, requests, statuses);
}
