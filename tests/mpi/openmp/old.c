/* A parallel region as GCC compiled it before 4.9: begun by one call and ended by another. */
#include "count.h"

void GOMP_parallel_start(void (*)(void *), void *, unsigned);
void GOMP_parallel_end(void);

static int members;

static void body(void *data)
{
    count(MEMBERS);
    __atomic_fetch_add((int *)data, 1, __ATOMIC_RELAXED);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    for (int time = 0; time < 4; ++time) {
        count(FORKS);
        GOMP_parallel_start(body, &members, 2); /* start */
        body(&members);
        GOMP_parallel_end();
    }
    return ends("old", members == 8);
}
