! Fortran 2008 with `use mpi_f08`: handles as types, absent `ierror`, wildcards, a wait for any,
! a probe, a row of a matrix, MPI_IN_PLACE, an error that returns. Prints what was received.
program f08
  use mpi_f08
  implicit none
  integer :: rank, size, i, val, n, ierr
  type(MPI_Status) :: st, sts(4)
  type(MPI_Request) :: r(4)
  type(MPI_Comm) :: half
  real, allocatable :: a(:,:)
  logical :: flag
  call MPI_Init_thread(MPI_THREAD_SINGLE, n)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Comm_split(MPI_COMM_WORLD, modulo(rank,2), rank, half)
  call MPI_Comm_set_name(half, 'half')
  allocate(a(4,4)); a = rank; val = 0
  if (rank == 0) then
    do i = 1, size - 1
      call MPI_Recv(val, 1, MPI_INTEGER, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, st)
      print *, 'got', val, st%MPI_SOURCE, st%MPI_TAG
    end do
    do i = 1, size - 1
      call MPI_Irecv(sts(i)%MPI_SOURCE, 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, r(i))
    end do
    do i = 1, size - 1
      call MPI_Waitany(size - 1, r, n, st)
      print *, 'any', n, st%MPI_SOURCE
    end do
    do i = 1, size - 1
      flag = .false.
      do while (.not. flag)
        call MPI_Iprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, flag, st)
      end do
      call MPI_Recv(val, 1, MPI_INTEGER, st%MPI_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      print *, 'probe', val
    end do
  else
    call MPI_Send(rank, 1, MPI_INTEGER, 0, 4, MPI_COMM_WORLD)
    call MPI_Send(rank, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD)
    call MPI_Send(rank, 1, MPI_INTEGER, 0, 6, MPI_COMM_WORLD)
  end if
  ! a row of a matrix: no contiguous memory
  i = modulo(rank + 1, size); n = modulo(rank - 1 + size, size)
  call MPI_Sendrecv(a(1,:), 4, MPI_REAL, i, 1, a(2,:), 4, MPI_REAL, n, 1, &
    MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Send(val, 1, MPI_INTEGER, 99, 1, MPI_COMM_WORLD)
  call MPI_Send(val, 1, MPI_INTEGER, 99, 1, MPI_COMM_WORLD, ierr)
  print *, 'failed', ierr /= MPI_SUCCESS
  val = 1
  call MPI_Allreduce(MPI_IN_PLACE, val, 1, MPI_INTEGER, MPI_SUM, half)
  print *, rank, 'sum', val, a(2,1)
  call MPI_Comm_free(half)
  call MPI_Finalize()
end program
