! Procedures of a module, one of them recursive, without probes of ours.
module heat
contains
  recursive subroutine descend(depth)
    integer, intent(in) :: depth
    if (depth > 1) call descend(depth - 1)
  end subroutine
  subroutine exchange()
    use mpi
    integer :: code
    call MPI_Barrier(MPI_COMM_WORLD, code)
  end subroutine
end module

program functions
  use mpi
  use heat
  integer :: code, i
  call MPI_Init(code)
  do i = 1, 3
    call exchange()
  end do
  call descend(4)
  call MPI_Finalize(code)
end program
