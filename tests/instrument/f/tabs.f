      program tabs
	integer i, s
	s = 0
	do 10 i = 1, 3
	s = s +
	1 i
10	call add(s)
	print *, s
	end
	subroutine add(s)
	integer s
	if (s .gt. 5)
	1 return
	s = s + 1
	end
