/* What a window says of itself. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int room[4], *unit, flag, n, *kind, length;
    void *base;
    MPI_Aint *bytes;
    MPI_Win win;
    MPI_Group group;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Win_create(room, sizeof room, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
    expect(flag && base == room);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
    expect(flag && *bytes == sizeof room);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag);
    expect(flag && *unit == sizeof(int));
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &kind, &flag);
    expect(flag && *kind == MPI_WIN_FLAVOR_CREATE);
    MPI_Win_get_group(win, &group);
    MPI_Group_size(group, &n);
    expect(n == 2);
    MPI_Group_free(&group);
    MPI_Win_set_name(win, "room");
    MPI_Win_get_name(win, name, &length);
    expect(strcmp(name, "room") == 0);
    MPI_Win_free(&win);
    return end();
}
