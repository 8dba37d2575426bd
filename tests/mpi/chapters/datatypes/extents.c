/* Sizes and extents, in both kinds of numbers. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int size_;
    MPI_Aint from, extent;
    MPI_Count large, large_from;
    MPI_Datatype type, wide;
    MPI_Type_create_hvector(2, 1, 16, MPI_INT, &type);
    MPI_Type_size(type, &size_);
    MPI_Type_get_extent(type, &from, &extent);
    expect(size_ == 8 && from == 0 && extent == 20);
    MPI_Type_create_resized(type, -4, 32, &wide);
    MPI_Type_get_extent(wide, &from, &extent);
    expect(from == -4 && extent == 32);
    MPI_Type_get_true_extent(wide, &from, &extent);
    expect(from == 0 && extent == 20);
    MPI_Type_size_x(wide, &large);
    expect(large == 8);
    MPI_Type_get_extent_x(wide, &large_from, &large);
    expect(large_from == -4 && large == 32);
    MPI_Type_free(&wide);
    MPI_Type_free(&type);
    return end();
}
