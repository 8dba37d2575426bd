/* Each level of threads that is asked for; what is given is told thrice alike. archive: messages 0 */
#include "../chapter.h"

int main(int argc, char **argv) {
    int provided, told, is_main;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Query_thread(&told);
    expect(told == provided && provided >= MPI_THREAD_SINGLE);
    MPI_Is_thread_main(&is_main);
    expect(is_main);
    MPI_Barrier(MPI_COMM_WORLD);
    return end();
}
