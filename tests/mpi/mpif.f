C     Fortran 77 with mpif.h: blocking and nonblocking messages round the ring,
C     the addresses that stand for constants, collectives, and a split world.
      program mpif
      implicit none
      include 'mpif.h'
      integer counted(5), total(5)
      integer rank, size, left, right, half, ierr, i, length
      integer in(4), out(4), requests(4), status(MPI_STATUS_SIZE)

      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      left = mod(rank + size - 1, size)
      right = mod(rank + 1, size)
      do i = 1, 5
         counted(i) = 0
      end do

C     Even ranks send first.
      out(1) = rank
      if (mod(rank, 2) .eq. 0) call MPI_SEND(out(1), 1, MPI_INTEGER,
     &   right, 1, MPI_COMM_WORLD, ierr)
      call MPI_RECV(in(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 1,
     &   MPI_COMM_WORLD, status, ierr)
      if (mod(rank, 2) .eq. 1) call MPI_SEND(out(1), 1, MPI_INTEGER,
     &   right, 1, MPI_COMM_WORLD, ierr)
      call check(in(1) .eq. left .and. status(MPI_SOURCE) .eq. left)
      call count(counted, 4)

      call MPI_SENDRECV(out(1), 1, MPI_INTEGER, left, 2, in(1), 1,
     &   MPI_INTEGER, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call check(in(1) .eq. right)
      call count(counted, 4)

      do i = 1, 2
         out(i) = 10 * rank + i
         call MPI_IRECV(in(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD,
     &      requests(i), ierr)
         call MPI_ISEND(out(i), 1, MPI_INTEGER, right, i,
     &      MPI_COMM_WORLD, requests(i + 2), ierr)
         call count(counted, 4)
      end do
      call MPI_WAIT(requests(1), MPI_STATUS_IGNORE, ierr)
      call MPI_WAITALL(4, requests, MPI_STATUSES_IGNORE, ierr)
      call check(in(1) .eq. 10 * left + 1)
      call check(in(2) .eq. 10 * left + 2)

      in(1) = -1
      if (rank .eq. 1) in(1) = 42
      call MPI_BCAST(in(1), 1, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
      call check(in(1) .eq. 42)
      in(1) = rank
      call MPI_ALLREDUCE(MPI_IN_PLACE, in(1), 1, MPI_INTEGER, MPI_SUM,
     &   MPI_COMM_WORLD, ierr)
      call check(in(1) .eq. size * (size - 1) / 2)

      call MPI_COMM_SPLIT(MPI_COMM_WORLD, mod(rank, 2), rank, half,
     &   ierr)
      call MPI_BARRIER(half, ierr)
      call MPI_COMM_FREE(half, ierr)
      counted(5) = counted(5) + 3

      call get_environment_variable('COUNT', length=length)
      if (length .gt. 0) then
         counted(5) = counted(5) + 1
         call MPI_REDUCE(counted(1), total(1), 5, MPI_INTEGER, MPI_SUM,
     &      0, MPI_COMM_WORLD, ierr)
         if (rank .eq. 0) print '(5(a, i0))', 'counted messages=',
     &      total(1), ' bytes=', total(2), ' received=', total(3),
     &      ' received_bytes=', total(4), ' collectives=', total(5)
      end if
      call MPI_FINALIZE(ierr)
      end

C     One message of so many bytes sent, and one received.
      subroutine count(counted, bytes)
      implicit none
      integer counted(5), bytes
      counted(1) = counted(1) + 1
      counted(2) = counted(2) + bytes
      counted(3) = counted(3) + 1
      counted(4) = counted(4) + bytes
      end

      subroutine check(so)
      implicit none
      include 'mpif.h'
      logical so
      integer ierr
      if (so) return
      print *, 'mpif: wrong result'
      call MPI_ABORT(MPI_COMM_WORLD, 1, ierr)
      end
