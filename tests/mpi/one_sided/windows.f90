! The same from Fortran: a fence, an epoch of groups, locks.
program windows
  use mpi
  implicit none
  integer :: ierror, rank, ranks, window, world, peer, found, others(1)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place
  integer :: memory(2)
  common /exposed/ memory
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  memory = -1
  bytes = 8
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
  call MPI_Win_set_name(window, 'from Fortran', ierror)
  call MPI_Win_fence(0, window, ierror)
  place = 0
  call MPI_Put(rank, 1, MPI_INTEGER, mod(rank + 1, ranks), place, 1, MPI_INTEGER, window, ierror)
  call MPI_Win_fence(0, window, ierror)
  found = memory(1)
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierror)
  others(1) = 1 - rank
  call MPI_Group_incl(world, 1, others, peer, ierror)
  place = 1
  if (rank == 0) then
    call MPI_Win_start(peer, 0, window, ierror)
    call MPI_Put(rank, 1, MPI_INTEGER, 1, place, 1, MPI_INTEGER, window, ierror)
    call MPI_Win_complete(window, ierror)
  else
    call MPI_Win_post(peer, 0, window, ierror)
    call MPI_Win_wait(window, ierror)
    if (memory(2) /= 0) found = -2
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window, ierror)
  call MPI_Put(rank, 1, MPI_INTEGER, 0, place, 1, MPI_INTEGER, window, ierror)
  call MPI_Win_unlock(0, window, ierror)
  call MPI_Group_free(peer, ierror)
  call MPI_Group_free(world, ierror)
  call MPI_Win_free(window, ierror)
  if (found == mod(rank + ranks - 1, ranks)) then
    if (rank == 0) print '(a)', 'right'
  else
    print '(a,i0)', 'wrong: ', found
  end if
  call MPI_Finalize(ierror)
end program windows
