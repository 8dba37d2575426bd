      program contnd
c a comment between
* and another
      integer i, s                                                      sequence
      character*70 text
      s = 0
      do i = 1,
     &       3
c in the middle of nothing
        call add(s, i,
     1           2)
        if (i .eq. 2
     +      .and. s .gt. 0)
     +    goto 100
      end do
  100 continue
      text = 'a string that goes on to the last column and beyond it, with
     x blanks'                                                          beyond
      print *, s, text ! and this
      end
      subroutine add(x, y, z)
      integer x, y, z
      x = x + y + z
      end
