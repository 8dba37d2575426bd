/* What the programs of the chapters share: each process says "ok", or what is wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong, rank, size;

#define expect(what)                                                                       \
    do {                                                                                   \
        if (!(what)) {                                                                     \
            wrong = 1;                                                                     \
            printf("rank %d, %s:%d: not %s\n", rank, __FILE__, __LINE__, #what);           \
        }                                                                                  \
    } while (0)

static inline void begin(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline int end(void) {
    MPI_Finalize();
    if (!wrong)
        puts("ok");
    return wrong;
}

/* Of calls that fail on purpose. */
static inline void let_errors_return(void) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

static inline int class_of(int error) {
    int class;
    MPI_Error_class(error, &class);
    return class;
}
