! A session from Fortran, without MPI_Init: each process records by itself; messages 2
program session
    use mpi
    implicit none
    integer :: it, group, comm, rank, got, ierror
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, it, ierror)
    call MPI_Group_from_session_pset(it, 'mpi://WORLD', group, ierror)
    call MPI_Comm_create_from_group(group, 'tests', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm, ierror)
    call MPI_Comm_rank(comm, rank, ierror)
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, 1 - rank, 1, got, 1, MPI_INTEGER, 1 - rank, 1, comm, &
                      MPI_STATUS_IGNORE, ierror)
    call MPI_Comm_free(comm, ierror)
    call MPI_Group_free(group, ierror)
    call MPI_Session_finalize(it, ierror)
    if (got == 1 - rank) then
        print '(a)', 'ok'
    else
        print '(a)', 'got what was not sent'
    end if
end program
