/* The tool interface: variables of MPI's, before MPI_Init and after it. archive: messages 0 */
#include "../chapter.h"

int main(void) {
    int provided, n, again;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_num(&n);
    expect(n > 0);
    begin();
    MPI_T_cvar_get_num(&again);
    expect(again >= n);
    MPI_T_pvar_get_num(&n);
    expect(n >= 0);
    MPI_T_finalize();
    return end();
}
