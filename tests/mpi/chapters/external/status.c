/* A status is written by the program. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Status status;
    int count, flag;
    memset(&status, 0, sizeof status);
    MPI_Status_set_elements(&status, MPI_INT, 12);
    MPI_Status_set_cancelled(&status, 1);
    MPI_Get_elements(&status, MPI_INT, &count);
    MPI_Test_cancelled(&status, &flag);
    expect(count == 12 && flag);
    MPI_Status_set_elements_x(&status, MPI_INT, 13);
    MPI_Get_elements(&status, MPI_INT, &count);
    expect(count == 13);
    return end();
}
