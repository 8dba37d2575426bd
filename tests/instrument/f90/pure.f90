! What must have no effect gets no probes.
module laws
  implicit none
contains
  pure integer function twice(x)
    integer, intent(in) :: x
    twice = 2 * x
  end function
  elemental real function half(x)
    real, intent(in) :: x
    half = x / 2
  end function
  impure elemental subroutine say(x)
    integer, intent(in) :: x
    print *, x
  end subroutine
  recursive integer function fact(n) result(f)
    integer, intent(in) :: n
    f = 1
    if (n > 1) f = n * fact(n - 1)
  end function
end module
program pure_ones
  use laws
  integer :: i
  real :: a(3) = [1.0, 2.0, 3.0]
  a = half(a)
  do concurrent (i = 1:3)
    a(i) = a(i) + twice(i)
  end do
  forall (i = 1:3) a(i) = a(i) + twice(1)
  call say([1, 2])
  where (a > 3) a = half(a)
  print *, a, fact(5)
end program
