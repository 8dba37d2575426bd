/* Two commands with words of their own start a world. processes 4, archive: */
#include "../chapter.h"

int main(int argc, char **argv) {
    MPI_Comm parent, children;
    begin();
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        char *commands[] = {argv[0], argv[0]}, *first[] = {"one word", NULL}, *other[] = {NULL};
        char **words[] = {first, other};
        int numbers[] = {1, 1};
        MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
        MPI_Comm_spawn_multiple(2, commands, words, numbers, infos, 0, MPI_COMM_WORLD, &children,
                                MPI_ERRCODES_IGNORE);
        expect(argc == 1);
        MPI_Barrier(children); // who ends early leaves noise of the transport
        MPI_Comm_disconnect(&children);
    } else {
        expect(argc == (rank == 0 ? 2 : 1));
        expect(rank != 0 || !strcmp(argv[1], "one word"));
        expect(size == 2);
        MPI_Barrier(parent);
        MPI_Comm_disconnect(&parent);
    }
    return end();
}
