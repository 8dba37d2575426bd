! Heat in a square plate, as heat.c, in Fortran: bands of columns, which lie together
! in memory here, and a combined send and receive with each neighbour.
!
!     heat [points per side = 512] [steps = 1500]
!
! With COUNT=1 in the environment rank 0 tells at the end what the program itself
! counted of its communication: our tests compare the trace with that.
program heat
  use mpi
  implicit none
  integer, parameter :: long = selected_int_kind(18), real64 = kind(1d0)
  integer(long) :: counted(3) = 0, total(3)   ! messages, bytes, collectives
  real(real64), allocatable :: now(:, :), next(:, :)
  real(real64) :: change, worst
  integer :: rank, ranks, left, right, height, columns, steps, step, error, length

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  height = argument(1, 512)
  steps = argument(2, 1500)

  columns = height / ranks                      ! the first ranks take the remainder
  if (rank < mod(height, ranks)) columns = columns + 1
  left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  right = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
  allocate (now(height, 0:columns + 1), next(height, 0:columns + 1))
  now = 0
  if (rank == 0) now(:, 0) = 100
  next = now

  do step = 1, steps
    call shift(now(:, columns), right, now(:, 0), left, 0)
    call shift(now(:, 1), left, now(:, columns + 1), right, 1)
    next(2:height - 1, 1:columns) = 0.25d0 * (now(1:height - 2, 1:columns) + now(3:height, 1:columns) &
                                            + now(2:height - 1, 0:columns - 1) + now(2:height - 1, 2:columns + 1))
    change = maxval(abs(next(:, 1:columns) - now(:, 1:columns)))
    now(:, 1:columns) = next(:, 1:columns)
    if (mod(step, 50) == 0 .or. step == steps) then
      call MPI_Allreduce(change, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
      counted(3) = counted(3) + 1
      if (rank == 0 .and. (mod(step, 500) == 0 .or. step == steps)) &
        print '(a, i5, a, f9.6)', 'step ', step, ': largest change ', worst
    end if
  end do

  call get_environment_variable('COUNT', length=length)
  if (length > 0) then
    counted(3) = counted(3) + 1                 ! this one
    call MPI_Reduce(counted, total, 3, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (rank == 0) print '(3(a, i0))', 'counted messages=', total(1), ' bytes=', total(2), ' collectives=', total(3)
  end if
  call MPI_Finalize(error)

contains

  ! Sends a border to one neighbour while the halo comes from the other.
  subroutine shift(border, to, halo, from, tag)
    real(real64), intent(in) :: border(height)
    real(real64), intent(inout) :: halo(height)
    integer, intent(in) :: to, from, tag
    call MPI_Sendrecv(border, height, MPI_DOUBLE_PRECISION, to, tag, halo, height, MPI_DOUBLE_PRECISION, from, tag, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    if (to == MPI_PROC_NULL) return
    counted(1) = counted(1) + 1
    counted(2) = counted(2) + 8 * height
  end subroutine shift

  integer function argument(position, default)
    integer, intent(in) :: position, default
    character(len=20) :: text
    argument = default
    if (command_argument_count() < position) return
    call get_command_argument(position, text)
    read (text, *) argument
  end function argument
end program heat
