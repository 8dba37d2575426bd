/* A type tells how it was made. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int integers, addresses, types, how, numbers[3];
    MPI_Datatype type, of;
    MPI_Aint place;
    MPI_Type_vector(2, 3, 4, MPI_INT, &type);
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &how);
    expect(integers == 3 && addresses == 0 && types == 1 && how == MPI_COMBINER_VECTOR);
    MPI_Type_get_contents(type, 3, 1, 1, numbers, &place, &of);
    expect(numbers[0] == 2 && numbers[1] == 3 && numbers[2] == 4 && of == MPI_INT);
    MPI_Type_free(&type);
    return end();
}
