/* Hints of communicators, windows and files. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Info info, got;
    MPI_Comm comm;
    int value = 0, n;
    MPI_Win win;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    MPI_Comm_set_info(comm, info);
    MPI_Comm_get_info(comm, &got);
    MPI_Info_get_nkeys(got, &n);
    expect(n >= 0);
    MPI_Info_free(&got);
    MPI_Win_create(&value, sizeof value, sizeof value, info, comm, &win);
    MPI_Win_set_info(win, info);
    MPI_Win_get_info(win, &got);
    MPI_Info_free(&got);
    MPI_Win_free(&win);
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
    return end();
}
