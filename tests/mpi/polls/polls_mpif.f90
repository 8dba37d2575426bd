! The same by `mpif.h`.
program polls
  implicit none
  include 'mpif.h'
  integer :: rank, i, got, tests, probes, request, ierror, given(1)
  integer :: status(MPI_STATUS_SIZE)
  integer, parameter :: misses = 500
  logical :: flag
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  tests = 0
  probes = 0
  given(1) = 42
  call MPI_Irecv(got, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD, request, ierror)
  do i = 1, misses
    call MPI_Test(request, flag, status, ierror)
    tests = tests + 1
    if (flag) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
    call MPI_Iprobe(rank, 4, MPI_COMM_WORLD, flag, status, ierror)
    probes = probes + 1
    if (flag) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end do
  call MPI_Send(given, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD, ierror)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(request, flag, status, ierror)
    tests = tests + 1
  end do
  if (got /= 42) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  print '(a,i0,a,i0)', 'rank ', rank, ' called MPI_Test ', tests
  print '(a,i0,a,i0)', 'rank ', rank, ' called MPI_Iprobe ', probes
  call MPI_Finalize(ierror)
end program
