! Probe for anybody, receive from whom the probe named, in Fortran.
!
! ranks: 3
program probe
   use mpi
   implicit none
   integer :: rank, x, error, i, status(MPI_STATUS_SIZE)
   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   if (rank == 0) then
      do i = 1, 2
         call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error) ! RACE: order
         call MPI_Recv(x, 1, MPI_INTEGER, status(MPI_SOURCE), status(MPI_TAG), MPI_COMM_WORLD, status, error) ! NONE
      end do
   else
      call MPI_Send(rank, 1, MPI_INTEGER, 0, rank, MPI_COMM_WORLD, error)
   end if
   call MPI_Finalize(error)
end program
