integer :: i
do i = 1, 3
  call hello(i)
end do
end
subroutine hello(n)
print *, n
end
subroutine nothing
end subroutine
