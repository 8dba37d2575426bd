/* Programs with arguments get them, and MPI_Init leaves them. archive: messages 0 */
#include "../chapter.h"

int main(int argc, char **argv) {
    expect(argc == 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    expect(argc == 1 && argv[0] != NULL && argv[1] == NULL);
    expect(getenv("PATH") != NULL);
    return end();
}
