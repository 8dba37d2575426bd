C     Fortran 77 with mpif.h: see README.md.
      program mpif
      implicit none
      include 'mpif.h'
      integer me, other, result, total, late, ierr
      integer blocking, array, waits, persis, collec, turned, race
      character*8 order, word
      call getenv('LATE', word)
      late = 0
      if (word(1:1) .eq. '1') late = 1
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      other = 1 - me
      order = ' '
      result = blocking(me, other)
      result = result + array(me, other)
      result = result + waits(me, other)
      result = result + persis(me, other)
      result = result + collec(me)
      result = result + turned(me, other)
      result = result + race(me, late, order)
      call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      call MPI_REDUCE(result, total, 1, MPI_INTEGER, MPI_SUM, 0,
     &   MPI_COMM_WORLD, ierr)
      if (me .eq. 0) print '(a,i0/a,a)', 'result ', total, 'order ',
     &   order
      call MPI_FINALIZE(ierr)
      end

      integer function blocking(me, other)
      implicit none
      include 'mpif.h'
      integer me, other, out(3), in(5), got, ierr, i
      integer status(MPI_STATUS_SIZE)
      if (me .eq. 0) then
         do i = 1, 3
            out(i) = 11 * i
         end do
         call MPI_SEND(out, 3, MPI_INTEGER, other, 7, MPI_COMM_WORLD,
     &      ierr)
         call MPI_RECV(in, 1, MPI_INTEGER, other, 8, MPI_COMM_WORLD,
     &      MPI_STATUS_IGNORE, ierr)
         blocking = in(1)
         return
      end if
      call MPI_RECV(in, 5, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG,
     &   MPI_COMM_WORLD, status, ierr)
      call MPI_GET_COUNT(status, MPI_INTEGER, got, ierr)
      out(1) = got
      call MPI_SEND(out, 1, MPI_INTEGER, other, 8, MPI_COMM_WORLD,
     &   ierr)
      blocking = in(1) + in(2) + in(3) + 10 * got
     &   + 100 * status(MPI_TAG) + 1000 * status(MPI_SOURCE)
      end

      integer function array(me, other)
      implicit none
      include 'mpif.h'
      integer me, other, out(3), in(3), requests(4), ierr, i
      integer statuses(MPI_STATUS_SIZE, 4)
      do i = 1, 3
         out(i) = me + i
      end do
      call MPI_IRECV(in(1), 2, MPI_INTEGER, other, MPI_ANY_TAG,
     &   MPI_COMM_WORLD, requests(1), ierr)
      call MPI_IRECV(in(3), 1, MPI_INTEGER, other, 21,
     &   MPI_COMM_WORLD, requests(2), ierr)
      call MPI_ISEND(out(1), 2, MPI_INTEGER, other, 20,
     &   MPI_COMM_WORLD, requests(3), ierr)
      call MPI_ISEND(out(3), 1, MPI_INTEGER, other, 21,
     &   MPI_COMM_WORLD, requests(4), ierr)
      call MPI_WAITALL(4, requests, statuses, ierr)
      array = in(1) + in(2) + in(3) + 100 * statuses(MPI_TAG, 1)
     &   + 10 * (statuses(MPI_SOURCE, 1) + statuses(MPI_SOURCE, 2))
      end

      integer function waits(me, other)
      implicit none
      include 'mpif.h'
      integer me, other, out(1), in(1), receive, send, ierr
C     What MPI writes later must be in sight of it.
      common /later/ in, out
      out(1) = 5 + me
      call MPI_IRECV(in(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 30,
     &   MPI_COMM_WORLD, receive, ierr)
      call MPI_ISEND(out(1), 1, MPI_INTEGER, other, 30,
     &   MPI_COMM_WORLD, send, ierr)
      call MPI_WAIT(receive, MPI_STATUS_IGNORE, ierr)
      call MPI_WAIT(send, MPI_STATUS_IGNORE, ierr)
      waits = in(1)
      end

      integer function persis(me, other)
      implicit none
      include 'mpif.h'
      integer me, other, out, in, requests(2), ierr, k
      common /later/ in, out
      call MPI_RECV_INIT(in, 1, MPI_INTEGER, other, 40,
     &   MPI_COMM_WORLD, requests(1), ierr)
      call MPI_SEND_INIT(out, 1, MPI_INTEGER, other, 40,
     &   MPI_COMM_WORLD, requests(2), ierr)
      persis = 0
      do k = 1, 3
         out = 100 * k + me
         call MPI_STARTALL(2, requests, ierr)
         call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, ierr)
         persis = persis + k * in
      end do
      call MPI_REQUEST_FREE(requests(1), ierr)
      call MPI_REQUEST_FREE(requests(2), ierr)
      end

      integer function collec(me)
      implicit none
      include 'mpif.h'
      integer me, sums(2), told, ierr
      sums(1) = me + 1
      sums(2) = 10 * (me + 1)
      told = 0
      if (me .eq. 1) told = 77
      call MPI_ALLREDUCE(MPI_IN_PLACE, sums, 2, MPI_INTEGER, MPI_SUM,
     &   MPI_COMM_WORLD, ierr)
      call MPI_BCAST(told, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
      collec = sums(1) + sums(2) + told
      end

      integer function turned(me, other)
      implicit none
      include 'mpif.h'
      integer me, other, comm, rank, out, in, ierr
      out = 9 * (me + 1)
      call MPI_COMM_SPLIT(MPI_COMM_WORLD, 0, other, comm, ierr)
      call MPI_COMM_RANK(comm, rank, ierr)
      call MPI_SENDRECV(out, 1, MPI_INTEGER, 1 - rank, 60, in, 1,
     &   MPI_INTEGER, 1 - rank, 60, comm, MPI_STATUS_IGNORE, ierr)
      call MPI_COMM_FREE(comm, ierr)
      turned = in + 50 * rank
      end

      integer function race(me, late, order)
      implicit none
      include 'mpif.h'
      integer me, late, out(4), in(1), requests(4), ierr, k
      integer status(MPI_STATUS_SIZE)
      character*8 order
      double precision ends
      ends = MPI_WTIME() + 0.03d0
      do while (me .eq. late .and. MPI_WTIME() .lt. ends)
      end do
      race = 0
      do k = 1, 4
         out(k) = 10 * me + k - 1
         if (me .eq. 1) then
            call MPI_SEND(out(k), 1, MPI_INTEGER, 0, 50,
     &         MPI_COMM_WORLD, ierr)
         else
            call MPI_ISEND(out(k), 1, MPI_INTEGER, 0, 50,
     &         MPI_COMM_WORLD, requests(k), ierr)
         end if
      end do
      if (me .eq. 1) return
      do k = 1, 8
         call MPI_RECV(in, 1, MPI_INTEGER, MPI_ANY_SOURCE, 50,
     &      MPI_COMM_WORLD, status, ierr)
         order(k:k) = char(48 + status(MPI_SOURCE))
         race = race + in(1)
      end do
      call MPI_WAITALL(4, requests, MPI_STATUSES_IGNORE, ierr)
      end
