! Ends in the depth: frames stay open.
program stops
  call down(3)
contains
  recursive subroutine down(n)
    integer, intent(in) :: n
    if (n == 0) stop 4
    do
      call down(n - 1)
    end do
  end subroutine
end program
