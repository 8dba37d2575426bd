/* Groups as sets. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Group world, first, rest, both, none;
    int zero[1] = {0}, place, n, range[1][3] = {{0, 1, 1}}, translated;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, zero, &first);
    MPI_Group_excl(world, 1, zero, &rest);
    MPI_Group_union(rest, first, &both);
    MPI_Group_compare(both, world, &n);
    expect(n == MPI_SIMILAR);
    MPI_Group_translate_ranks(both, 1, zero, world, &translated);
    expect(translated == 1);
    MPI_Group_intersection(first, rest, &none);
    expect(none == MPI_GROUP_EMPTY);
    MPI_Group_rank(first, &place);
    expect(place == (rank == 0 ? 0 : MPI_UNDEFINED));
    MPI_Group_free(&both);
    MPI_Group_range_incl(world, 1, range, &both);
    MPI_Group_size(both, &n);
    expect(n == 2);
    MPI_Group_free(&both);
    MPI_Group_free(&first);
    MPI_Group_free(&rest);
    MPI_Group_free(&world);
    return end();
}
