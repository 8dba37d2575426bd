! Regions of your own in the traces of mpiscope: Fortran.
!
!     use mpiscope
!     call mpiscope_region_begin("assemble")
!     ...
!     call mpiscope_region_end("assemble")
!
! Compile this file with your program. One that runs without mpiscope calls procedures that do
! nothing. Regions nest, in each thread by itself; what begins before MPI_Init is not told.
!
! This file may be copied into any program, under the terms of mpiscope: MIT or Apache 2.0.
module mpiscope
  use, intrinsic :: iso_c_binding, only: c_char, c_null_char, c_ptr, c_null_ptr, c_funptr, &
                                         c_associated, c_f_procpointer
  implicit none
  private
  public :: mpiscope_region_begin, mpiscope_region_end, mpiscope_mark

  abstract interface
    ! Where in the program that was: not known here.
    subroutine tell(name, site) bind(c)
      import :: c_char, c_ptr
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: site
    end subroutine
  end interface

  interface
    function dlsym(handle, name) bind(c, name="dlsym")
      import :: c_char, c_ptr, c_funptr
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: dlsym
    end function
  end interface

  ! What mpiscope offers, and where that is once it was looked for.
  integer, parameter :: region_begin = 1, region_end = 2, mark = 3
  character(len=*), parameter :: symbols(3) = [character(len=26) :: "mpiscope_region_begin_from", &
                                               "mpiscope_region_end", "mpiscope_mark_from"]
  type(c_funptr), save :: found(3)
  logical, save :: is_known(3) = .false.

contains

  !> A region begins.
  subroutine mpiscope_region_begin(name)
    character(len=*), intent(in) :: name
    call told(region_begin, name)
  end subroutine

  !> A region ends, and what was begun in it and never ended.
  subroutine mpiscope_region_end(name)
    character(len=*), intent(in) :: name
    call told(region_end, name)
  end subroutine

  !> Something happened, and took no time.
  subroutine mpiscope_mark(name)
    character(len=*), intent(in) :: name
    call told(mark, name)
  end subroutine

  ! Threads that come here at once find the same.
  subroutine told(what, name)
    integer, intent(in) :: what
    character(len=*), intent(in) :: name
    procedure(tell), pointer :: call_it
    if (.not. is_known(what)) then
      found(what) = dlsym(c_null_ptr, trim(symbols(what)) // c_null_char)
      is_known(what) = .true.
    end if
    if (c_associated(found(what))) then
      call c_f_procpointer(found(what), call_it)
      call call_it(trim(name) // c_null_char, c_null_ptr)
    end if
  end subroutine

end module
