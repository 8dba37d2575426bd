C     Fortran switches recording off and on: of five messages round the ring
C     rank 0 records the last three, all others the last one.
      program switch
      implicit none
      include 'mpif.h'
      integer counted(6), total(6)
      integer rank, size, left, right, ierr, i
      integer in(5), out(5), status(MPI_STATUS_SIZE)
      logical on

      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      left = mod(rank + size - 1, size)
      right = mod(rank + 1, size)
      do i = 1, 6
         counted(i) = 0
      end do
      call MPI_PCONTROL(0)
      on = .false.
      do i = 1, 5
         if (i .eq. 5 .or. (rank .eq. 0 .and. i .eq. 3)) then
            call MPI_PCONTROL(1)
            on = .true.
         end if
         call MPI_SENDRECV(out, i, MPI_INTEGER, right, 7, in, 5,
     &      MPI_INTEGER, left, 7, MPI_COMM_WORLD, status, ierr)
         if (on) then
            counted(1) = counted(1) + 1
            counted(2) = counted(2) + 4 * i
            counted(3) = counted(3) + 1
            counted(4) = counted(4) + 4 * i
         end if
      end do
      counted(5) = 1
      counted(6) = 1
      call MPI_REDUCE(counted, total, 6, MPI_INTEGER, MPI_SUM, 0,
     &   MPI_COMM_WORLD, ierr)
      if (rank .eq. 0) then
         print '(A,I0,A,I0,A,I0,A,I0,A,I0,A,I0)', 'counted messages=',
     &      total(1), ' bytes=', total(2), ' received=', total(3),
     &      ' received_bytes=', total(4), ' collectives=', total(5),
     &      ' pairs=', total(6)
      end if
      call MPI_FINALIZE(ierr)
      end
