! Fortran 90 with `use mpi`: see README.md.
program usempi
  use mpi
  implicit none
  integer :: me, other, error, total, sum, late
  character(8) :: order = '', word

  call get_environment_variable('LATE', word)
  late = merge(1, 0, word == '1')
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  other = 1 - me
  sum = blocking() + request_array() + single_waits() + persistent() + collective() + turned_round()
  sum = sum + race()
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Reduce(sum, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (me == 0) print '(a, i0 / a, a)', 'result ', total, 'order ', order
  call MPI_Finalize(error)

contains

  integer function blocking() result(value)
    integer :: out(3) = [11, 22, 33], in(5), got(1), status(MPI_STATUS_SIZE)
    if (me == 0) then
      call MPI_Send(out, 3, MPI_INTEGER, other, 7, MPI_COMM_WORLD, error)
      call MPI_Recv(got, 1, MPI_INTEGER, other, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      value = got(1)
      return
    end if
    call MPI_Recv(in, 5, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
    call MPI_Get_count(status, MPI_INTEGER, got(1), error)
    call MPI_Send(got, 1, MPI_INTEGER, other, 8, MPI_COMM_WORLD, error)
    value = in(1) + in(2) + in(3) + 10 * got(1) + 100 * status(MPI_TAG) + 1000 * status(MPI_SOURCE)
  end function blocking

  integer function request_array() result(value)
    integer :: out(3), in(3), requests(4), statuses(MPI_STATUS_SIZE, 4)
    out = [me + 1, me + 2, me + 3]
    call MPI_Irecv(in(1), 2, MPI_INTEGER, other, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(in(3), 1, MPI_INTEGER, other, 21, MPI_COMM_WORLD, requests(2), error)
    call MPI_Isend(out(1), 2, MPI_INTEGER, other, 20, MPI_COMM_WORLD, requests(3), error)
    call MPI_Isend(out(3), 1, MPI_INTEGER, other, 21, MPI_COMM_WORLD, requests(4), error)
    call MPI_Waitall(4, requests, statuses, error)
    value = in(1) + in(2) + in(3) + 100 * statuses(MPI_TAG, 1) &
      + 10 * (statuses(MPI_SOURCE, 1) + statuses(MPI_SOURCE, 2))
  end function request_array

  integer function single_waits() result(value)
    integer, asynchronous :: out, in
    integer :: receive, send
    out = 5 + me
    call MPI_Irecv(in, 1, MPI_INTEGER, MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, receive, error)
    call MPI_Isend(out, 1, MPI_INTEGER, other, 30, MPI_COMM_WORLD, send, error)
    call MPI_Wait(receive, MPI_STATUS_IGNORE, error)
    call MPI_Wait(send, MPI_STATUS_IGNORE, error)
    value = in
  end function single_waits

  integer function persistent() result(value)
    integer, asynchronous :: out, in
    integer :: requests(2), k
    call MPI_Recv_init(in, 1, MPI_INTEGER, other, 40, MPI_COMM_WORLD, requests(1), error)
    call MPI_Send_init(out, 1, MPI_INTEGER, other, 40, MPI_COMM_WORLD, requests(2), error)
    value = 0
    do k = 1, 3
      out = 100 * k + me
      call MPI_Startall(2, requests, error)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
      value = value + k * in
    end do
    call MPI_Request_free(requests(1), error)
    call MPI_Request_free(requests(2), error)
  end function persistent

  integer function collective() result(value)
    integer :: sums(2), told
    sums = [me + 1, 10 * (me + 1)]
    told = merge(77, 0, me == 1)
    call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call MPI_Bcast(told, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, error)
    value = sums(1) + sums(2) + told
  end function collective

  integer function turned_round() result(value)
    integer :: turned, rank, out, in
    out = 9 * (me + 1)
    call MPI_Comm_split(MPI_COMM_WORLD, 0, other, turned, error)
    call MPI_Comm_rank(turned, rank, error)
    call MPI_Sendrecv(out, 1, MPI_INTEGER, 1 - rank, 60, in, 1, MPI_INTEGER, 1 - rank, 60, &
      turned, MPI_STATUS_IGNORE, error)
    call MPI_Comm_free(turned, error)
    value = in + 50 * rank
  end function turned_round

  integer function race() result(value)
    integer :: out(4), in(1), requests(4), status(MPI_STATUS_SIZE), k
    double precision :: end
    end = MPI_Wtime() + 0.03d0
    do while (me == late .and. MPI_Wtime() < end)
    end do
    value = 0
    do k = 1, 4
      out(k) = 10 * me + k - 1
      if (me == 1) then
        call MPI_Send(out(k), 1, MPI_INTEGER, 0, 50, MPI_COMM_WORLD, error)
      else
        call MPI_Isend(out(k), 1, MPI_INTEGER, 0, 50, MPI_COMM_WORLD, requests(k), error)
      end if
    end do
    if (me == 1) return
    do k = 1, 8
      call MPI_Recv(in, 1, MPI_INTEGER, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, status, error)
      order(k:k) = achar(48 + status(MPI_SOURCE))
      value = value + in(1)
    end do
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, error)
  end function race
end program usempi
