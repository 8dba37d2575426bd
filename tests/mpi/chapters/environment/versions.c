/* What MPI says of itself. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    int version, subversion, length, flag;
    char text[MPI_MAX_LIBRARY_VERSION_STRING], name[MPI_MAX_PROCESSOR_NAME];
    MPI_Get_version(&version, &subversion);
    expect(version == MPI_VERSION && subversion == MPI_SUBVERSION);
    MPI_Get_library_version(text, &length);
    expect(length > 0 && length <= (int)sizeof text);
    MPI_Initialized(&flag);
    expect(!flag);
    begin();
    MPI_Get_processor_name(name, &length);
    expect(length == (int)strlen(name));
    MPI_Initialized(&flag);
    expect(flag);
    MPI_Finalized(&flag);
    expect(!flag);
    MPI_Finalize();
    MPI_Finalized(&flag);
    expect(flag);
    if (!wrong)
        puts("ok");
    return wrong;
}
