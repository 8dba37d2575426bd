/* The forms in which compilers call a runtime: loops of all schedules, sections, single, a region
 * before MPI_Init and one after MPI_Finalize. */
#include "count.h"

static int seen;

static void region(void)
{
#pragma omp parallel num_threads(2)
#pragma omp atomic
    seen += 1;
}

/* A parallel loop whose schedule this is. */
#define LOOP(...)                                                                                  \
    do {                                                                                           \
        count(FORKS);                                                                              \
        _Pragma(#__VA_ARGS__) for (int i = 0; i < 100; ++i)                                        \
        {                                                                                          \
            __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);                                         \
            here[omp_get_thread_num()] = 1;                                                        \
        }                                                                                          \
        counted[MEMBERS] += 2;                                                                     \
    } while (0)

int main(int argc, char **argv)
{
    int provided, sum = 0, here[2], value = 0, copies = 0, sections = 0;
    region();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    LOOP(omp parallel for num_threads(2) schedule(static));
    LOOP(omp parallel for num_threads(2) schedule(static, 3));
    LOOP(omp parallel for num_threads(2) schedule(dynamic));
    LOOP(omp parallel for num_threads(2) schedule(guided));
    LOOP(omp parallel for num_threads(2) schedule(runtime));
    LOOP(omp parallel for num_threads(2) schedule(monotonic : dynamic));
    LOOP(omp parallel for num_threads(2) schedule(monotonic : guided));
    count(FORKS);
    counted[MEMBERS] += 2;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        __atomic_fetch_add(&sections, 1, __ATOMIC_RELAXED);
#pragma omp section
        __atomic_fetch_add(&sections, 1, __ATOMIC_RELAXED);
    }
    count(FORKS);
#pragma omp parallel num_threads(2) private(value)
    {
        count(MEMBERS);
        count(BARRIERS);
#pragma omp sections
        {
#pragma omp section
            __atomic_fetch_add(&sections, 1, __ATOMIC_RELAXED);
        }
        count(BARRIERS);
#pragma omp single
        __atomic_fetch_add(&sections, 1, __ATOMIC_RELAXED);
#pragma omp single copyprivate(value)
        value = 7;
        __atomic_fetch_add(&copies, value, __ATOMIC_RELAXED);
    }
    int right = sum == 7 * 4950 && sections == 4 && copies == 14 && here[0] == 1;
    int code = ends("forms", right);
    region();
    return code || seen != 4;
}
