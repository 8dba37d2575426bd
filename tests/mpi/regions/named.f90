! Regions by name, from Fortran.
program named
  use mpi
  use mpiscope
  implicit none
  integer :: error, rank, step
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  do step = 1, 5
    call mpiscope_region_begin("solve  ")
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call mpiscope_mark("converged")
    call mpiscope_metric("residual", 1d0 / step)
    call mpiscope_metric("of a single", 0.5)
    call mpiscope_metric("step", step)
    call mpiscope_metric("far", 2_8**40)
    call mpiscope_region_end("solve")
  end do
  call MPI_Finalize(error)
  if (rank == 0) print '(a)', "named: ok"
end program
