/* Derived datatypes: what travels is counted in bytes of data, not of extent. */
#include "count.h"
#include <stddef.h>
#include <string.h>

struct particle {
    double position[3];
    char kind;
};

/* Sends one element of `type` round the ring; it must arrive as `bytes` bytes. */
static void travel(MPI_Datatype type, const void *out, void *in, int bytes)
{
    MPI_Status status;
    int packed;
    MPI_Type_commit(&type);
    MPI_Type_size(type, &packed);
    CHECK(packed == bytes);
    MPI_Sendrecv(out, 1, type, right, 0, in, 1, type, left, 0, MPI_COMM_WORLD, &status);
    count_sent(right, bytes);
    count_status(&status);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    int out[8][8], in[8][8] = {{0}};
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    look_around();
    for (int i = 0; i < 64; i++)
        out[i / 8][i % 8] = 100 * rank + i;

    MPI_Type_vector(8, 1, 8, MPI_INT, &type); /* a column */
    travel(type, &out[0][3], &in[0][3], 8 * sizeof(int));
    CHECK(in[5][3] == 100 * left + 43 && in[5][4] == 0);

    MPI_Type_indexed(2, (int[]){1, 3}, (int[]){0, 60}, MPI_INT, &type);
    travel(type, out, in, 4 * sizeof(int));
    CHECK(in[0][0] == 100 * left && in[7][6] == 100 * left + 62 && in[7][7] == 0);

    MPI_Type_create_subarray(2, (int[]){8, 8}, (int[]){2, 2}, (int[]){1, 5}, MPI_ORDER_C, MPI_INT, &type);
    travel(type, out, in, 4 * sizeof(int));
    CHECK(in[2][6] == 100 * left + 22 && in[3][6] == 0);

    MPI_Type_contiguous(8, MPI_INT, &type);
    travel(type, out[4], in[4], 8 * sizeof(int));
    CHECK(in[4][0] == 100 * left + 32);

    struct particle mine = {{rank, 2, 3}, 'a'}, theirs;
    memset(&theirs, 0, sizeof theirs);
    MPI_Type_create_struct(2, (int[]){3, 1}, (MPI_Aint[]){0, offsetof(struct particle, kind)},
                           (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR}, &type);
    travel(type, &mine, &theirs, 3 * sizeof(double) + 1);
    CHECK(theirs.position[0] == left && theirs.kind == 'a');

    print_counted();
    MPI_Finalize();
}
