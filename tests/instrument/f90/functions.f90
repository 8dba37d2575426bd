! Functions as arguments, arrays that look like calls, statement functions, results.
program functions
  implicit none
  real :: a(3), x, half, y
  real, external :: outside
  half(y) = y / 2
  x = 4
  a = [1, 2, 3]
  a(2) = outside(a(1)) + half(x)
  print *, a, apply(outside, x)
contains
  real function apply(f, x)
    real, external :: f
    real, intent(in) :: x
    apply = f(f(x))
  end function
end program
real function outside(x)
  real, intent(in) :: x
  outside = x + 1
end function
