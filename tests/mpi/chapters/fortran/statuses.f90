! Statuses and indices as Fortran has them. archive: messages 2
program statuses
  use mpi
  implicit none
  integer :: rank, error, status(MPI_STATUS_SIZE), requests(2), got(3), at, n
  logical :: good
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  requests(1) = MPI_REQUEST_NULL
  call MPI_Irecv(got, 3, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(2), error)
  call MPI_Send([1, 2], 2, MPI_INTEGER, 1 - rank, 7, MPI_COMM_WORLD, error)
  call MPI_Waitany(2, requests, at, status, error)
  call MPI_Get_count(status, MPI_INTEGER, n, error)
  good = at == 2 .and. n == 2 .and. status(MPI_SOURCE) == 1 - rank .and. status(MPI_TAG) == 7
  call MPI_Finalize(error)
  if (good .and. got(2) == 2) then
    print '(a)', 'ok'
  else
    print '(a)', 'wrong'
  end if
end program
