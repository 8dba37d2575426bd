! Fortran: receives from anybody, waits and tests for any and some, probes; indices count from 1.
program order
  use mpi
  implicit none
  integer, parameter :: rounds = 6
  integer :: rank, ranks, ierror, i, k, data, done, index, outcount, polls
  integer :: status(MPI_STATUS_SIZE)
  integer, allocatable :: requests(:), values(:), indices(:), statuses(:, :)
  integer(8) :: seen = 7
  integer(8), allocatable :: all(:)
  logical :: flag
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  allocate(requests(ranks - 1), values(ranks - 1), indices(ranks - 1), statuses(MPI_STATUS_SIZE, ranks - 1), all(ranks))
  call random_seed()
  do i = 1, rounds
    if (rank > 0) then
      do k = 1, 5
        call dawdle()
        data = 100 * rank + 10 * k + i
        call MPI_Send(data, 1, MPI_INTEGER, 0, k, MPI_COMM_WORLD, ierror)
      end do
      cycle
    end if
    do k = 1, ranks - 1
      call MPI_Recv(data, 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status, ierror)
      call saw(data)
      call saw(status(MPI_SOURCE))
    end do
    do k = 1, ranks - 1
      call MPI_Irecv(values(k), 1, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, requests(k), ierror)
    end do
    do k = 1, ranks - 1
      call MPI_Waitany(ranks - 1, requests, index, MPI_STATUS_IGNORE, ierror)
      call saw(index)
      call saw(values(index))
    end do
    do k = 1, ranks - 1
      call MPI_Irecv(values(k), 1, MPI_INTEGER, k, 3, MPI_COMM_WORLD, requests(k), ierror)
    end do
    done = 0
    polls = 0
    do while (done < ranks - 1)
      call MPI_Testsome(ranks - 1, requests, outcount, indices, MPI_STATUSES_IGNORE, ierror)
      polls = polls + 1
      do k = 1, outcount
        call saw(indices(k))
        call saw(values(indices(k)))
      end do
      done = done + outcount
    end do
    call saw(polls)
    do k = 1, ranks - 1
      flag = .false.
      do while (.not. flag)
        call MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, flag, status, ierror)
        call saw(merge(1, 0, flag))
      end do
      call MPI_Recv(data, 1, MPI_INTEGER, status(MPI_SOURCE), 4, MPI_COMM_WORLD, status, ierror)
      call saw(data)
    end do
    do k = 1, ranks - 1
      call MPI_Irecv(values(k), 1, MPI_INTEGER, k, 5, MPI_COMM_WORLD, requests(k), ierror)
    end do
    done = 0
    do while (done < ranks - 1)
      call MPI_Testany(ranks - 1, requests, index, flag, status, ierror)
      call saw(merge(1, 0, flag))
      if (flag) then
        call saw(index)
        done = done + 1
      end if
    end do
  end do
  call MPI_Gather(seen, 1, MPI_INTEGER8, all, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) then
    do k = 1, ranks
      print '(a,i0,a,i0)', 'rank ', k - 1, ' saw ', all(k)
    end do
  end if
  call MPI_Finalize(ierror)
contains
  subroutine saw(value)
    integer, intent(in) :: value
    seen = mod(seen * 31_8 + int(value, 8) + 1000_8, 1000000007_8)
  end subroutine

  subroutine dawdle()
    real :: chance, x
    integer :: n
    call random_number(chance)
    x = 0
    do n = 1, int(chance * 200000)
      x = x + sin(real(n))
    end do
    if (x > 1e9) print *, x
  end subroutine
end program
