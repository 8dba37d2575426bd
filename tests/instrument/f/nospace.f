C     Blanks mean nothing: what cannot be read is left alone.
      PROGRAM NOSP
      K = 0
      CALL TIGHT(K)
      CALL LOOSE(K)
      PRINT *, K
      E N D
      SUBROUTINE TIGHT(K)
      DO10I=1,3
      K=K+I
10    CONTINUE
      END
      SUBROUTINE LOOSE(K)
      DO 10 I = 1, 3
      CALL TIGHT(K)
   10 CONTINUE
      END
