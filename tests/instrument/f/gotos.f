C     Computed and arithmetic jumps, out of loops and within.
      PROGRAM GOTOS
      N = 0
      DO 30 I = 1, 6
        CALL COUNT(N)
        GOTO (10, 20, 40), I - 2
        N = N + 1
   10   N = N + 10
   20   N = N + 100
   30 CONTINUE
   40 IF (N - 5) 50, 60, 60
   50 N = 0
   60 DO 80 I = 1, 3
        DO 70 J = 1, 3
          CALL COUNT(N)
          IF (J .EQ. 2) GOTO 80
   70   CONTINUE
   80 CONTINUE
      PRINT *, N
      END
      SUBROUTINE COUNT(N)
      N = N + 1000
      END
