/* Parallel regions of three threads, with barriers, and MPI between them. */
#include "count.h"

enum { TIMES = 5, THREADS = 3 };

int main(int argc, char **argv)
{
    int provided, members = 0, sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    for (int time = 0; time < TIMES; ++time) {
        count(FORKS);
#pragma omp parallel num_threads(THREADS) reduction(+ : members) /* region */
        {
            members += 1;
            count(MEMBERS);
            count(BARRIERS);
#pragma omp barrier /* first barrier */
            count(BARRIERS);
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 12; ++i) {
#pragma omp atomic
                sum += i;
            }
            count(BARRIERS);
#pragma omp barrier /* second barrier */
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    count(FORKS);
#pragma omp parallel for num_threads(2) reduction(+ : sum) /* loop */
    for (int i = 0; i < 12; ++i) {
        sum += i;
        if (i % 6 == 0)
            count(MEMBERS);
    }
    count(FORKS);
#pragma omp parallel num_threads(1) reduction(+ : members) /* alone */
    {
        members += 1;
        count(MEMBERS);
    }
    return ends("regions", members == TIMES * THREADS + 1 && sum == (TIMES + 1) * 66);
}
