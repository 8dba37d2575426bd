! The same by the module mpi_f08.
program files_f08
  use mpi_f08
  implicit none
  integer :: ierror, rank, ranks, bytes, k
  type(MPI_File) :: file
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  integer, asynchronous :: numbers(16), found(16)
  integer(kind=MPI_OFFSET_KIND) :: place
  integer :: moved(2), all(2)
  logical :: done
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  moved = 0
  numbers = rank
  call MPI_File_open(MPI_COMM_WORLD, 'absent  ', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierror)
  if (ierror == MPI_SUCCESS) print '(a)', 'wrong: nothing was opened'
  call MPI_File_open(MPI_COMM_WORLD, 'data  ', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierror)
  place = 64 * rank
  call MPI_File_write_at(file, place, numbers, 16, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
  moved(2) = moved(2) + 64
  call MPI_File_write_at_all(file, place, numbers, 8, MPI_INTEGER, status, ierror)
  call MPI_Get_count(status, MPI_BYTE, bytes, ierror)
  moved(2) = moved(2) + bytes
  call MPI_File_sync(file, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  place = 64 * (1 - rank)
  call MPI_File_seek(file, place, MPI_SEEK_SET, ierror)
  call MPI_File_read(file, found, 16, MPI_INTEGER, status, ierror)
  call MPI_Get_count(status, MPI_BYTE, bytes, ierror)
  moved(1) = moved(1) + bytes
  place = 128 - 32
  call MPI_File_read_at(file, place, numbers, 16, MPI_INTEGER, status, ierror)
  call MPI_Get_count(status, MPI_BYTE, bytes, ierror)
  moved(1) = moved(1) + bytes
  place = 0
  call MPI_File_iread_at(file, place, numbers, 2, MPI_INTEGER, request, ierror)
  done = .false.
  do while (.not. done)
    call MPI_Test(request, done, MPI_STATUS_IGNORE, ierror)
  end do
  moved(1) = moved(1) + 8
  call MPI_File_read_at_all_begin(file, place, numbers, 4, MPI_INTEGER, ierror)
  call MPI_File_read_at_all_end(file, numbers, MPI_STATUS_IGNORE, ierror)
  moved(1) = moved(1) + 16
  call MPI_File_close(file, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (rank == 0) call MPI_File_delete('data  ', MPI_INFO_NULL, ierror)
  call MPI_Reduce(moved, all, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  k = count(found /= 1 - rank)
  if (k > 0) print '(a,i0)', 'wrong: ', k
  if (rank == 0) print '(a,i0,a,i0,/,a)', 'counted read=', all(1), ' written=', all(2), 'right'
  call MPI_Finalize(ierror)
end program files_f08
