C     Implied loops, COMMON, EQUIVALENCE, a loop whose variable is real, PAUSE-less I/O loops.
      PROGRAM DATAS
      COMMON /BLK/ X(4), N
      EQUIVALENCE (Y, X(2))
      CHARACTER*20 LINE
      N = 0
      DO 10 T = 0.0, 1.0, 0.25
   10 CALL STEP(T)
      WRITE (LINE, '(4F5.2)') (X(I), I = 1, 4)
      PRINT *, LINE, N, Y
      DO 20 WHILE (N .GT. 0)
        CALL STEP(0.5)
        N = N - 2
   20 CONTINUE
      PRINT *, N
      END
      SUBROUTINE STEP(T)
      COMMON /BLK/ X(4), N
      N = N + 1
      IF (N .LE. 4) X(N) = T
      END
      BLOCK DATA
      COMMON /BLK/ X(4), N
      DATA X /4*0.0/
      END
