! Types of mpi_f08, without ierror. archive: messages 2
program modern
  use mpi_f08
  implicit none
  type(MPI_Comm) :: comm
  type(MPI_Status) :: status
  type(MPI_Request) :: request
  integer :: rank, got, n, sum
  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_rank(comm, rank)
  call MPI_Irecv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 3, comm, request)
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 3, comm)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_INTEGER, n)
  call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, comm)
  call MPI_Comm_free(comm)
  call MPI_Finalize()
  if (got == 1 - rank .and. n == 1 .and. status%MPI_SOURCE == 1 - rank .and. sum == 1) then
    print '(a)', 'ok'
  else
    print '(a)', 'wrong'
  end if
end program
