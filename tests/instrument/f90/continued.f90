! Continued lines, several statements in a line, strings and comments that look like code.
program continued
  implicit none
  integer :: i, s; s = 0 ! call nothing
  do i = 1, & ! the bound follows
       3
    call add(s, &
         i); s = s + 1
    if (i == 2 .and. &
        s > 0) &
      cycle
    if (s > 100) call add(s, 1); if (s > 50) call add(s, 2)
  end do; print *, 'do i = 1; end do ! return', "it's", s
  if (s > 1000 &
      ) return
  associate (x => s)
    call add(x, 1)
  end associate
  print *, s
contains
  subroutine add(x, y); integer :: x, y; x = x + y; end subroutine
end program
