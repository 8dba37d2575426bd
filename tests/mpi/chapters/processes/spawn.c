/* Each world starts another, and they talk. processes 4, archive: */
#include "../chapter.h"

int main(int argc, char **argv) {
    MPI_Comm parent, children;
    int value = 5, got = 0;
    begin();
    (void)argc;
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE);
        MPI_Send(&value, 1, MPI_INT, rank, 1, children);
        MPI_Recv(&got, 1, MPI_INT, rank, 2, children, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&children);
    } else {
        MPI_Recv(&got, 1, MPI_INT, rank, 1, parent, MPI_STATUS_IGNORE);
        MPI_Send(&got, 1, MPI_INT, rank, 2, parent);
        MPI_Comm_disconnect(&parent);
    }
    expect(got == 5);
    return end();
}
