! Directives stay with their loops. flags: -fopenmp
program directives
  use omp_lib
  implicit none
  integer :: i, j, s, n
  real :: a(10)
  n = 10
  s = 0
  call omp_set_num_threads(1)
!$omp parallel do reduction(+:s)
  do i = 1, n
    call add(s, i)
  end do
!$omp end parallel do
  s = s + 1
!$omp parallel do collapse(2) reduction(+:s)
  do i = 1, n
    do j = 1, n
      call add(s, j)
    end do
  end do
  do i = 1, 2
    s = s + 1
!$omp parallel default(none) shared(s, n, a) private(j)
!$omp do
    do j = 1, n
      a(j) = j
      call nothing()
    end do
!$omp end do
!$omp single
    call add(s, 1)
!$omp end single
!$omp atomic
    s = s + 1
!$omp critical
    call add(s, 2)
!$omp end critical
!$omp end parallel
  end do
!GCC$ unroll 4
  do i = 1, n
    call add(s, 1)
  end do
  print *, s, a(3)
contains
  subroutine add(x, y)
    integer, intent(inout) :: x
    integer, intent(in) :: y
    x = x + y
  end subroutine
  subroutine nothing()
  end subroutine
  subroutine all_in_parallel()
!$omp parallel
    call nothing()
!$omp end parallel
  end subroutine
end program
