C     A statement function, DATA and FORMAT among executable statements, an include.
      PROGRAM STMT
      INCLUDE 'kept.inc'
      DIMENSION A(3)
      F(X) = X * 2
      DATA A /1., 2., 3./
      A(2) = F(A(1))
      KEPT = 5
  100 FORMAT (1X, 3F6.2, I4)
      CALL SHOW
      WRITE (*, 100) A, KEPT
      END
      SUBROUTINE SHOW
      INCLUDE 'kept.inc'
   10 KEPT = KEPT + 1
      IF (KEPT .LT. 8) GOTO 10
      END
