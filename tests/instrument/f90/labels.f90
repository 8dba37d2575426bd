! Labelled loops, shared ends, goto out of loops, computed goto, end= in a loop.
program labels
  integer a(3,3), s, i, j
  character(8) :: text = '1 2'
  s = 0
  do 10 i = 1, 3
  do 10 j = 1, 3
    a(i, j) = next(i * j)
    if (j .eq. 2) goto 10
    s = s + a(i, j)
10 continue
  do 20 i = 1, 4
    s = next(s)
20 if (s > 1000) s = 0
  do 30, i = 1, 4
    do j = 1, 4
      s = next(s)
      if (s > 40) goto 40
    end do
30 end do
40 s = next(s)
  do i = 1, 5
    goto (50, 60) i
    s = next(s) + 100
    if (i > 3) goto 70
50  s = s + 1
60  s = s + 2
  end do
70 do
    read (text, *, end=80) i, j, s
    s = next(s)
  end do
80 print *, s, i, j
   if (next(s)) 90, 100, 100
90 print *, 'less'
100 continue
contains
  integer function next(x)
    integer, intent(in) :: x
    next = x + 1
  end function
end program
