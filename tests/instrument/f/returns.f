C     Ways out, as written in 1977.
      PROGRAM RETRNS
      INTEGER I, K, NEXT
      EXTERNAL NEXT
      K = 0
      DO 10 I = 1, 5
        IF (I .EQ. 2) GOTO 10
        CALL WORK(I, K, *20)
        K = K + 1
   10 CONTINUE
      K = -K
   20 PRINT *, K, NEXT(K)
      IF (K .LT. 0) THEN
        STOP
      ENDIF
      END
      SUBROUTINE WORK(I, K, *)
      K = K + I
      IF (K .GT. 6) RETURN 1
      IF (K .GT. 100) RETURN
      END
      INTEGER FUNCTION NEXT(K)
      NEXT = K + 1
      RETURN
      END
