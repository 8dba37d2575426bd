C     Entries: one after a return, one that is reached from above.
      PROGRAM ENTRYS
      CALL FIRST(I)
      CALL OTHER(J)
      CALL UPPER(K)
      CALL LOWER(L)
      PRINT *, I, J, K, L
      END
      SUBROUTINE FIRST(I)
      I = 1
      RETURN
      ENTRY OTHER(I)
      I = 2
      END
      SUBROUTINE UPPER(I)
      I = 10
      ENTRY LOWER(I)
      I = 20
      END
