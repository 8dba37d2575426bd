/* A team of two whose threads each fork a team of two, which meets at a barrier. */
#include "count.h"

enum { TIMES = 3 };

int main(int argc, char **argv)
{
    int provided, members = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    omp_set_max_active_levels(2);
    for (int time = 0; time < TIMES; ++time) {
        count(FORKS);
#pragma omp parallel num_threads(2) /* outer */
        {
            count(MEMBERS);
            count(FORKS);
#pragma omp parallel num_threads(2) /* inner */
            {
                count(MEMBERS);
                __atomic_fetch_add(&members, 1, __ATOMIC_RELAXED);
                count(BARRIERS);
#pragma omp barrier /* inner barrier */
            }
            count(BARRIERS);
#pragma omp barrier /* outer barrier */
        }
    }
    return ends("nested", members == TIMES * 4);
}
