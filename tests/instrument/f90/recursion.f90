! Recursion, direct and mutual, with results; optional arguments; a pointer to a procedure.
module tree
  implicit none
  abstract interface
    integer function unary(x)
      integer, intent(in) :: x
    end function
  end interface
contains
  recursive integer function fib(n) result(f)
    integer, intent(in) :: n
    if (n < 2) then; f = n; return; end if
    f = fib(n - 1) + fib(n - 2)
  end function
  recursive logical function even(n) result(r)
    integer, intent(in) :: n
    r = .true.
    if (n > 0) r = odd(n - 1)
  end function
  recursive logical function odd(n) result(r)
    integer, intent(in) :: n
    r = .false.
    if (n > 0) r = even(n - 1)
  end function
  subroutine maybe(x)
    integer, intent(in), optional :: x
    if (.not. present(x)) return
    print *, 'given', x
  end subroutine
end module
program recursion
  use tree
  procedure(unary), pointer :: p
  p => fib
  call maybe()
  call maybe(p(10))
  print *, even(7), odd(7)
end program
