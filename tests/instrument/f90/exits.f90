! exit and cycle, of named loops and other constructs.
program exits
  implicit none
  integer :: i, j, k, s
  s = 0
  outer: do i = 1, 5
    middle: do j = 1, 5
      do k = 1, 5
        call add(s, 1)
        if (k == 2) cycle
        if (k == 4) exit
        if (j == 2) cycle outer
        if (i == 3) exit middle
        if (i == 4) then
          exit outer
        end if
        select case (j)
        case (4)
          cycle middle
        end select
      end do
    end do middle
    call add(s, 100)
  end do outer
  block_one: block
    do i = 1, 3
      call add(s, 1000)
      if (i == 2) exit block_one
    end do
    call add(s, 5)
  end block block_one
  do
    call add(s, 1)
    if (mod(s, 10) == 0) exit
  end do
  do while (s > 0)
    call add(s, -1000)
  end do
  print *, s
contains
  subroutine add(x, y)
    integer, intent(inout) :: x
    integer, intent(in) :: y
    x = x + y
  end subroutine add
end program exits
