/* What the launcher told. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    char value[MPI_MAX_INFO_VAL + 1];
    int flag;
    MPI_Info_get(MPI_INFO_ENV, "command", MPI_MAX_INFO_VAL, value, &flag);
    expect(!flag || strlen(value) > 0);
    return end();
}
