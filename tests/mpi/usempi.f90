! Fortran 90 with `use mpi`: arrays, real and ignored statuses, a probe, wildcards,
! Testall, and collectives with MPI_IN_PLACE.
program usempi
  use mpi
  implicit none
  integer, parameter :: n = 5
  integer :: counted(5) = 0, total(5)
  integer :: rank, ranks, left, right, error, length, i, got
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2), requests(2)
  double precision :: out(n), in(n)
  logical :: done

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  left = mod(rank + ranks - 1, ranks)
  right = mod(rank + 1, ranks)

  out = [(rank + 0.5d0 * i, i=1, n)]
  call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, right, 11, MPI_COMM_WORLD, requests(2), error)
  done = .false.
  do while (.not. done)
    call MPI_Testall(2, requests, done, statuses, error)
  end do
  call MPI_Get_count(statuses(:, 1), MPI_DOUBLE_PRECISION, got, error)
  call check(got == n .and. statuses(MPI_SOURCE, 1) == left .and. statuses(MPI_TAG, 1) == 11)
  call check(all(nint(in - out) == left - rank))
  call count(8 * n)

  call MPI_Isend(out, 2, MPI_DOUBLE_PRECISION, left, 12, MPI_COMM_WORLD, requests(1), error)
  call MPI_Probe(right, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, got, error)
  call MPI_Recv(in, got, MPI_DOUBLE_PRECISION, right, status(MPI_TAG), MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
  call check(got == 2 .and. status(MPI_TAG) == 12)
  call check(all(nint(in(1:2) - out(1:2)) == right - rank))
  call count(8 * 2)

  in = rank
  call MPI_Bcast(in, n, MPI_DOUBLE_PRECISION, ranks - 1, MPI_COMM_WORLD, error)
  call check(all(nint(in) == ranks - 1))
  in = 1
  call MPI_Allreduce(MPI_IN_PLACE, in, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  call check(all(nint(in) == ranks))
  call MPI_Barrier(MPI_COMM_WORLD, error)
  counted(5) = counted(5) + 3
  call MPI_Iallreduce(MPI_IN_PLACE, in, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(1), error)
  call MPI_Ibarrier(MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, statuses, error)
  call check(all(nint(in) == ranks * ranks))

  call get_environment_variable('COUNT', length=length)
  if (length > 0) then
    counted(5) = counted(5) + 1   ! this one
    call MPI_Reduce(counted, total, 5, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (rank == 0) print '(5(a, i0))', 'counted messages=', total(1), ' bytes=', total(2), &
      ' received=', total(3), ' received_bytes=', total(4), ' collectives=', total(5)
  end if
  call MPI_Finalize(error)

contains

  ! One message of so many bytes sent, and one received.
  subroutine count(bytes)
    integer, intent(in) :: bytes
    counted(1:4) = counted(1:4) + [1, bytes, 1, bytes]
  end subroutine count

  subroutine check(so)
    logical, intent(in) :: so
    if (so) return
    print *, 'usempi: wrong result on rank', rank
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine check
end program usempi
