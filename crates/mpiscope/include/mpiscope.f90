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

contains

  !> A region begins.
  subroutine mpiscope_region_begin(name)
    character(len=*), intent(in) :: name
    type(c_funptr), save :: found
    logical, save :: is_known = .false.
    call told("mpiscope_region_begin_from", found, is_known, name)
  end subroutine

  !> A region ends, and what was begun in it and never ended.
  subroutine mpiscope_region_end(name)
    character(len=*), intent(in) :: name
    type(c_funptr), save :: found
    logical, save :: is_known = .false.
    call told("mpiscope_region_end", found, is_known, name)
  end subroutine

  !> Something happened, and took no time.
  subroutine mpiscope_mark(name)
    character(len=*), intent(in) :: name
    type(c_funptr), save :: found
    logical, save :: is_known = .false.
    call told("mpiscope_mark_from", found, is_known, name)
  end subroutine

  ! Threads that come here at once find the same.
  subroutine told(symbol, found, is_known, name)
    character(len=*), intent(in) :: symbol, name
    type(c_funptr), intent(inout) :: found
    logical, intent(inout) :: is_known
    procedure(tell), pointer :: call_it
    if (.not. is_known) then
      found = dlsym(c_null_ptr, symbol // c_null_char)
      is_known = .true.
    end if
    if (c_associated(found)) then
      call c_f_procpointer(found, call_it)
      call call_it(trim(name) // c_null_char, c_null_ptr)
    end if
  end subroutine

end module
