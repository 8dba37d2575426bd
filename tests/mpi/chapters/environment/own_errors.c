/* Classes, codes and texts of the program's own. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    int class, code, length, *last, flag;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "no more tea");
    MPI_Error_string(code, text, &length);
    expect(strstr(text, "no more tea") != NULL);
    expect(class_of(code) == class);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
    expect(flag && *last >= class);
    MPI_Error_string(MPI_ERR_RANK, text, &length);
    expect(length > 0);
    return end();
}
