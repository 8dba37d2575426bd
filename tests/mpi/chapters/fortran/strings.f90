! Names with blanks at their ends. archive: messages 0
program strings
  use mpi
  implicit none
  integer :: error, comm, length
  character(len=MPI_MAX_OBJECT_NAME) :: name
  logical :: good
  call MPI_Init(error)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
  call MPI_Comm_set_name(comm, 'my ring   ', error)
  call MPI_Comm_get_name(comm, name, length, error)
  good = length == 7 .and. name == 'my ring'
  call MPI_Barrier(comm, error)
  call MPI_Comm_free(comm, error)
  call MPI_Finalize(error)
  print '(a)', merge('ok   ', 'wrong', good)
end program
