/* Who was started by the launcher has no parent. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    expect(parent == MPI_COMM_NULL);
    return end();
}
