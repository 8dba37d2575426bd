/* A reduction by a function of the program's own. archive: messages 0 */
#include "../chapter.h"

static void farther(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    for (int k = 0; k < *count; k++)
        if (abs(((int *)in)[k]) > abs(((int *)inout)[k]))
            ((int *)inout)[k] = ((int *)in)[k];
}

int main(void) {
    begin();
    MPI_Op op;
    int value = rank == 0 ? -7 : 5, got = 0, commutes;
    MPI_Op_create(farther, 1, &op);
    MPI_Op_commutative(op, &commutes);
    expect(commutes);
    MPI_Allreduce(&value, &got, 1, MPI_INT, op, MPI_COMM_WORLD);
    expect(got == -7);
    MPI_Reduce_local(&value, &got, 1, MPI_INT, op);
    MPI_Op_free(&op);
    expect(op == MPI_OP_NULL);
    return end();
}
