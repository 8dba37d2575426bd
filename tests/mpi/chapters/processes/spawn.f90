! Fortran starts a world with words of its own. processes 4, archive:
program spawn
  use mpi
  implicit none
  integer :: parent, children, rank, error, got
  character(len=256) :: command
  character(len=9) :: words(3), word
  logical :: good
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_get_parent(parent, error)
  got = 5
  good = .true.
  if (parent == MPI_COMM_NULL) then
    call get_command_argument(0, command)
    words = [character(len=9) :: 'two words', 'x', ' ']
    call MPI_Comm_spawn(command, words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, &
                        MPI_ERRCODES_IGNORE, error)
    call MPI_Send(rank, 1, MPI_INTEGER, rank, 1, children, error)
    call MPI_Barrier(children, error)
    call MPI_Comm_disconnect(children, error)
    good = command_argument_count() == 0
  else
    call MPI_Recv(got, 1, MPI_INTEGER, rank, 1, parent, MPI_STATUS_IGNORE, error)
    call MPI_Barrier(parent, error)
    call MPI_Comm_disconnect(parent, error)
    call get_command_argument(1, word)
    good = got == rank .and. command_argument_count() == 2 .and. word == 'two words'
  end if
  call MPI_Finalize(error)
  print '(a)', merge('ok   ', 'wrong', good)
end program
