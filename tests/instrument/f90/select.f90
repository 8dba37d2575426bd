! select case, select type, where; returns and calls within them; functions in conditions.
module kinds_of
  implicit none
contains
  subroutine tell(x)
    class(*), intent(in) :: x
    select type (x)
    type is (integer)
      print *, 'integer', f(x)
      return
    type is (real)
      print *, 'real'
    class default
      print *, 'something'
    end select
    print *, 'told'
  end subroutine
  integer function f(x)
    integer, intent(in) :: x
    f = x + 1
  end function
end module
program selects
  use kinds_of
  integer :: i
  do i = 1, 4
    select case (f(i))
    case (2)
      call tell(i)
    case (3)
      call tell(1.0)
    case default
      call tell('x')
    end select
    if (f(i) == 2) then
      print *, 'two'
    else if (f(i) == 3) then
      print *, 'three'
    else
      print *, f(f(i))
    end if
  end do
end program
