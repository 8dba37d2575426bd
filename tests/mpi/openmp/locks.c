/* Locks and critical sections: each time that one is held it is written down who held it, and the
 * trace must tell the same order. */
#include "count.h"

#include <sched.h>

enum { TIMES = 20, THREADS = 3, MOST = 1000 };

static int holders[MOST]; /* of the lock, by the thread's number */
static int held, entered, named;

int main(int argc, char **argv)
{
    int provided, rank;
    omp_lock_t lock;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    omp_init_lock(&lock);
    count(FORKS);
#pragma omp parallel num_threads(THREADS)
    {
        count(MEMBERS);
        for (int time = 0; time < TIMES; ++time) {
            omp_set_lock(&lock); /* set */
            holders[held++] = omp_get_thread_num();
            sched_yield(); /* others come and wait */
            omp_unset_lock(&lock);
            count(ACQUIRED);
#pragma omp critical /* unnamed */
            entered += 1;
            count(ACQUIRED);
#pragma omp critical(name) /* named */
            named += 1;
            count(ACQUIRED);
            if (omp_test_lock(&lock)) {
                holders[held++] = omp_get_thread_num();
                count(ACQUIRED);
                omp_unset_lock(&lock);
            }
        }
    }
    omp_destroy_lock(&lock);
    for (int of = 0; of < 2; ++of) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (of == rank) {
            printf("holders %d", rank);
            for (int i = 0; i < held; ++i)
                printf(" %d", holders[i]);
            printf("\n");
            fflush(stdout);
        }
    }
    return ends("locks", entered == TIMES * THREADS && named == TIMES * THREADS);
}
