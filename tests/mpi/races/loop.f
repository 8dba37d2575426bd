! Two senders, three messages each, into one loop; fixed form and mpif.h.
!
! ranks: 3
      program loop
      implicit none
      include 'mpif.h'
      integer rank, x, e, i, s(MPI_STATUS_SIZE), w
      w = MPI_COMM_WORLD
      call MPI_INIT(e)
      call MPI_COMM_RANK(w, rank, e)
      if (rank .eq. 0) then
         do i = 1, 6
            call MPI_RECV(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, w, s, e) ! RACE: order
         end do
      else
         do i = 1, 3
            call MPI_SEND(i, 1, MPI_INTEGER, 0, 0, w, e)
         end do
      end if
      call MPI_FINALIZE(e)
      end
