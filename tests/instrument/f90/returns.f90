! Ways out: return, in a short if, from loops, by the end, stop in a branch not taken.
module work
  implicit none
contains
  integer function sign_of(x)
    integer, intent(in) :: x
    if (x < 0) then
      sign_of = -1
      return
    end if
    sign_of = 1
    if (x > 0) return
    sign_of = 0
    if (x > 100) stop 'never'
  end function sign_of
  subroutine search(n, where)
    integer, intent(in) :: n
    integer, intent(out) :: where
    integer :: i, j
    where = 0
    do i = 1, n
      do j = 1, n
        where = where + sign_of(i - j)
        if (i * j > 20) return
      end do
    end do
    where = -1
  end subroutine
end module
program returns
  use work
  integer :: k, w
  do k = 0, 6, 3
    call search(k, w)
    print *, k, w
  end do
end program returns
