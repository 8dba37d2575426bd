/* What is spawned begins in another folder. processes 4, archive: */
#include "../chapter.h"
#include <unistd.h>

int main(int argc, char **argv) {
    MPI_Comm parent, children;
    begin();
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        char command[4096];
        MPI_Info info;
        expect(argc == 1 && realpath(argv[0], command));
        MPI_Info_create(&info);
        MPI_Info_set(info, "wdir", "/usr");
        MPI_Comm_spawn(command, MPI_ARGV_NULL, 2, info, 0, MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE);
        MPI_Info_free(&info);
        MPI_Barrier(children); // who ends early leaves noise of the transport
        MPI_Comm_disconnect(&children);
    } else {
        char folder[4096];
        expect(getcwd(folder, sizeof folder) && !strcmp(folder, "/usr"));
        MPI_Barrier(parent);
        MPI_Comm_disconnect(&parent);
    }
    return end();
}
