! The same in Fortran: prints where each call stands.
module places
  implicit none
  integer :: rank = 0
contains
  subroutine here(name, line)
    character(*), intent(in) :: name
    integer, intent(in) :: line
    if (rank == 0) print '(a, a, a, i0)', 'site ', name, ' ', line
  end subroutine

  subroutine apart(value)
    use mpi
    integer, intent(inout) :: value
    integer :: error, out
    out = value
    call here('MPI_Allreduce', __LINE__ + 1)
    call MPI_Allreduce(out, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  end subroutine
end module

program sites
  use mpi
  use places
  implicit none
  integer :: error, value
  call MPI_Init(error)
  call here('MPI_Comm_rank', __LINE__ + 1)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  value = rank
  call here('MPI_Bcast', __LINE__ + 1)
  call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call apart(value)
  call MPI_Finalize(error)
end program
