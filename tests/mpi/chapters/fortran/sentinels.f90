! MPI's constants that are addresses: in place, ignored statuses, bottom. archive: messages 2
program sentinels
  use mpi
  implicit none
  integer :: rank, error, values(2), requests(2), got
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  values = -1
  values(rank + 1) = rank
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  call MPI_Irecv(got, 1, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(rank, 1, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call MPI_Finalize(error)
  if (values(1) == 0 .and. values(2) == 1 .and. got == 1 - rank) then
    print '(a)', 'ok'
  else
    print '(a)', 'wrong'
  end if
end program
