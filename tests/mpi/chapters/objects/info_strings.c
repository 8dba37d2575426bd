/* Values by the newer calls. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Info info, environment;
    char value[8];
    int length = sizeof value, flag;
    MPI_Info_create(&info);
    MPI_Info_set(info, "colour", "green");
    MPI_Info_get_string(info, "colour", &length, value, &flag);
    expect(flag && length == 6 && strcmp(value, "green") == 0);
    MPI_Info_create_env(0, NULL, &environment);
    MPI_Info_free(&environment);
    MPI_Info_free(&info);
    return end();
}
