C     Several loops that end in one statement, which is no CONTINUE.
      PROGRAM SHARED
      DIMENSION A(4,4)
      S = 0
      DO 10 I = 1, 4
      DO 10 J = 1, 4
   10 A(I,J) = F(REAL(I*J))
      DO 20 I = 1, 4
        DO 30 J = 1, 4
          IF (J .EQ. 3) GO TO 20
          S = S + F(A(I,J))
   30   CONTINUE
   20 CONTINUE
      DO 40 I = 1, 3
   40 CALL ADD(S)
      DO 50 I = 1, 3
      S = S + 1
   50 IF (I .EQ. 2) CALL ADD(S)
      PRINT *, S
      END
      FUNCTION F(X)
      F = X / 2
      END
      SUBROUTINE ADD(S)
      S = S + 1000
      END
