/* MPI's clock goes on. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    begin();
    double first = MPI_Wtime(), tick = MPI_Wtick();
    expect(tick > 0 && tick < 1);
    for (int k = 0; k < 100; k++)
        expect(MPI_Wtime() >= first);
    return end();
}
