! Each waits for the other to send first, in Fortran.
!
! ranks: 2
! ends: killed
program deadlock
   use mpi
   implicit none
   integer :: rank, x, error
   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call MPI_Recv(x, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error) ! ERROR: deadlock
   call MPI_Send(x, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, error)
   call MPI_Finalize(error)
end program
