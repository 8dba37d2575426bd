! Modules, submodules, internal procedures, interfaces, a type with procedures, block data.
module shapes
  implicit none
  type :: square
    integer :: side = 2
  contains
    procedure :: area => square_area
    procedure, private :: grow
    generic :: operator(+) => grow
  end type
  interface
    module integer function deep(x)
      integer, intent(in) :: x
    end function
  end interface
  interface show
    module procedure show_one
  end interface
contains
  integer function square_area(this)
    class(square), intent(in) :: this
    square_area = this%side ** 2
  end function
  type(square) function grow(this, by)
    class(square), intent(in) :: this
    integer, intent(in) :: by
    grow%side = this%side + by
  end function
  subroutine show_one(x)
    integer, intent(in) :: x
    call inner(x)
    return
  contains
    subroutine inner(y)
      integer, intent(in) :: y
      print *, 'shows', y
    end subroutine inner
  end subroutine show_one
end module shapes
submodule (shapes) details
contains
  module procedure deep
    deep = x * 10
  end procedure deep
end submodule details
block data start
  common /kept/ k
  integer k
  data k /7/
end block data start
program main
  use shapes, only: square, deep, show
  implicit none
  type(square) :: s
  integer :: k
  common /kept/ k
  s = s + 3
  call show(s%area())
  call show(deep(k))
end program main
