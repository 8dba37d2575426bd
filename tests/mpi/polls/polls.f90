! Polls by `use mpi_f08`, finds nothing most of the time, and says how often it called what.
program polls
  use mpi_f08
  implicit none
  integer :: rank, i, got, done, tests, probes, somes, indices(1)
  integer, parameter :: misses = 500
  logical :: flag
  type(MPI_Request) :: requests(1)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  tests = 0
  probes = 0
  somes = 0
  call MPI_Irecv(got, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD, requests(1))
  do i = 1, misses
    call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE)
    tests = tests + 1
    if (flag) call MPI_Abort(MPI_COMM_WORLD, 1)
    call MPI_Iprobe(rank, 4, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE)
    probes = probes + 1
    if (flag) call MPI_Abort(MPI_COMM_WORLD, 1)
    call MPI_Testsome(1, requests, done, indices, MPI_STATUSES_IGNORE)
    somes = somes + 1
    if (done /= 0) call MPI_Abort(MPI_COMM_WORLD, 1)
  end do
  call MPI_Send(42, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE)
    tests = tests + 1
  end do
  if (got /= 42) call MPI_Abort(MPI_COMM_WORLD, 1)
  print '(a,i0,a,i0)', 'rank ', rank, ' called MPI_Test ', tests
  print '(a,i0,a,i0)', 'rank ', rank, ' called MPI_Iprobe ', probes
  print '(a,i0,a,i0)', 'rank ', rank, ' called MPI_Testsome ', somes
  call MPI_Finalize()
end program
