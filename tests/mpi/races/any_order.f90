! Two senders, two receives from anybody, in Fortran.
!
! ranks: 3
program any_order
   use mpi
   implicit none
   integer :: rank, x, error
   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   if (rank == 0) then
      call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error) ! RACE: order
      call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error) ! NONE
   else
      call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error)
   end if
   call MPI_Finalize(error)
end program
