! Regions and values of your own in the traces of mpiscope: Fortran.
!
!     use mpiscope
!     call mpiscope_region_begin("assemble")
!     ...
!     call mpiscope_region_end("assemble")
!     call mpiscope_metric("residual", residual)
!
! Compile this file with your program. One that runs without mpiscope calls procedures that do
! nothing. Regions nest, in each thread by itself; what begins before MPI_Init is not told.
!
! This file may be copied into any program, under the terms of mpiscope: MIT or Apache 2.0.
module mpiscope
  use, intrinsic :: iso_c_binding, only: c_char, c_null_char, c_ptr, c_null_ptr, c_funptr, &
                                         c_associated, c_f_procpointer, c_float, c_double, c_int, &
                                         c_long_long
  implicit none
  private
  public :: mpiscope_region_begin, mpiscope_region_end, mpiscope_mark, mpiscope_metric

  !> Something has this value now; the same name tells values of the same.
  interface mpiscope_metric
    module procedure metric_double, metric_float, metric_int, metric_long
  end interface

  abstract interface
    ! Where in the program that was: not known here.
    subroutine tell(name, site) bind(c)
      import :: c_char, c_ptr
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: site
    end subroutine
    subroutine tell_double(name, value) bind(c)
      import :: c_char, c_double
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), value :: value
    end subroutine
    subroutine tell_long(name, value) bind(c)
      import :: c_char, c_long_long
      character(kind=c_char), intent(in) :: name(*)
      integer(c_long_long), value :: value
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
  integer, parameter :: region_begin = 1, region_end = 2, mark = 3, metric = 4, integers = 5
  character(len=*), parameter :: symbols(5) = [character(len=26) :: "mpiscope_region_begin_from", &
                                               "mpiscope_region_end", "mpiscope_mark_from", &
                                               "mpiscope_metric", "mpiscope_metric_int"]
  type(c_funptr), save :: found(5)
  logical, save :: is_known(5) = .false.

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

  subroutine metric_double(name, value)
    character(len=*), intent(in) :: name
    real(c_double), intent(in) :: value
    procedure(tell_double), pointer :: call_it
    if (is_there(metric)) then
      call c_f_procpointer(found(metric), call_it)
      call call_it(trim(name) // c_null_char, value)
    end if
  end subroutine

  subroutine metric_float(name, value)
    character(len=*), intent(in) :: name
    real(c_float), intent(in) :: value
    call metric_double(name, real(value, c_double))
  end subroutine

  subroutine metric_long(name, value)
    character(len=*), intent(in) :: name
    integer(c_long_long), intent(in) :: value
    procedure(tell_long), pointer :: call_it
    if (is_there(integers)) then
      call c_f_procpointer(found(integers), call_it)
      call call_it(trim(name) // c_null_char, value)
    end if
  end subroutine

  subroutine metric_int(name, value)
    character(len=*), intent(in) :: name
    integer(c_int), intent(in) :: value
    call metric_long(name, int(value, c_long_long))
  end subroutine

  subroutine told(what, name)
    integer, intent(in) :: what
    character(len=*), intent(in) :: name
    procedure(tell), pointer :: call_it
    if (is_there(what)) then
      call c_f_procpointer(found(what), call_it)
      call call_it(trim(name) // c_null_char, c_null_ptr)
    end if
  end subroutine

  ! Threads that come here at once find the same.
  logical function is_there(what)
    integer, intent(in) :: what
    if (.not. is_known(what)) then
      found(what) = dlsym(c_null_ptr, trim(symbols(what)) // c_null_char)
      is_known(what) = .true.
    end if
    is_there = c_associated(found(what))
  end function

end module
