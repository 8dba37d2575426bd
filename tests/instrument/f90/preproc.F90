! Lines of the preprocessor, also around the first statement.
#define TWICE(x) (2 * (x))
module m
contains
#ifdef NEVER
  subroutine other()
    print *, 'never'
  end subroutine
#endif
  subroutine first(x)
    integer :: x
#ifdef NEVER
    x = 1
#else
    x = TWICE(x)
#endif
    x = x + 1
  end subroutine first
  subroutine declared(x)
    integer :: x
#ifndef NEVER
    integer :: y
#endif
    y = x
#if 1
    do while (y < 20)
      call first(y)
    end do
#endif
    x = y
  end subroutine declared
end module m
program p
  use m
  integer :: i = 3
  call declared(i)
  print *, i, __LINE__, __FILE__
end program p
