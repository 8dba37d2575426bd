! Topologies made from Fortran: a grid and its rows, a graph of all, graphs told by those beside;
! each with an operation among neighbours. Prints of each rank of the world
! `beside NAME RANK:` and the ranks that it sends to there.
program topologies
  use mpi
  implicit none
  integer :: counted(5) = 0, total(5)
  integer :: rank, ranks, left, right, error, length, i
  integer :: grid, row, line, told, beside(4), sizes(2) = 0
  integer, allocatable :: ends(:), edges(:)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  left = mod(rank + ranks - 1, ranks)
  right = mod(rank + 1, ranks)

  call MPI_Dims_create(ranks, 2, sizes, error)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, [.false., .true.], .false., grid, error)
  do i = 1, 2
    call MPI_Cart_shift(grid, i - 1, 1, beside(2 * i - 1), beside(2 * i), error)
  end do
  call tell('grid', grid, beside)
  call meet(grid, beside)
  call MPI_Cart_sub(grid, [.false., .true.], row, error)
  call MPI_Cart_shift(row, 0, 1, beside(1), beside(2), error)
  call tell('row', row, beside(1:2))
  call meet(row, beside(1:2))

  ! A line of all, as a graph.
  ends = [(2 * i - 1, i=1, ranks)]
  ends(ranks) = 2 * ranks - 2
  edges = [integer ::]
  do i = 0, ranks - 1
    if (i > 0) edges = [edges, i - 1]
    if (i < ranks - 1) edges = [edges, i + 1]
  end do
  call MPI_Graph_create(MPI_COMM_WORLD, ranks, ends, edges, .false., line, error)
  beside(1:2) = [merge(left, MPI_PROC_NULL, rank > 0), merge(right, MPI_PROC_NULL, rank < ranks - 1)]
  call tell('line', line, beside(1:2))
  call meet(line, pack(beside(1:2), beside(1:2) /= MPI_PROC_NULL))

  ! A ring, told by both ends of each edge, then by the receivers.
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [left], MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, &
    MPI_INFO_NULL, .false., told, error)
  call tell('adjacent', told, [right])
  call meet(told, [left])
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [left], [1], [rank], [1], MPI_INFO_NULL, .false., told, error)
  call tell('told', told, [right])
  call meet(told, [left])

  call get_environment_variable('COUNT', length=length)
  if (length > 0) then
    counted(5) = counted(5) + 1   ! this one
    call MPI_Reduce(counted, total, 5, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (rank == 0) print '(5(a, i0))', 'counted messages=', total(1), ' bytes=', total(2), &
      ' received=', total(3), ' received_bytes=', total(4), ' collectives=', total(5)
  end if
  call MPI_Finalize(error)

contains

  subroutine tell(name, comm, destinations)
    character(*), intent(in) :: name
    integer, intent(in) :: comm, destinations(:)
    character(60) :: text, all(0:7)
    integer :: k
    call MPI_Comm_set_name(comm, name, error)
    write (text, '(3a, i0, a)') 'beside ', name, ' ', rank, ':'
    do k = 1, size(destinations)
      if (destinations(k) /= MPI_PROC_NULL) write (text, '(2a, i0)') trim(text), ' ', destinations(k)
    end do
    call MPI_Gather(text, 60, MPI_CHARACTER, all, 60, MPI_CHARACTER, 0, MPI_COMM_WORLD, error)
    counted(5) = counted(5) + 1
    if (rank == 0) print '(a)', (trim(all(k)), k=0, ranks - 1)
  end subroutine tell

  ! Who sends to us gives its rank.
  subroutine meet(comm, sources)
    integer, intent(in) :: comm, sources(:)
    integer :: me, got(8)
    call MPI_Comm_rank(comm, me, error)
    call MPI_Neighbor_allgather(me, 1, MPI_INTEGER, got, 1, MPI_INTEGER, comm, error)
    counted(5) = counted(5) + 1
    if (all(sources == MPI_PROC_NULL .or. got(:size(sources)) == sources)) return
    print *, 'topologies: wrong result on rank', rank
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine meet
end program topologies
