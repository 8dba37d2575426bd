/* Tasks: created by tasks and waited for, with data of their own, not deferred, in order, and some
 * that are worked on where the region ends. */
#include "count.h"

#include <stdalign.h>
#include <string.h>

enum { THREADS = 3 };

static long done;

static int fibonacci(int n)
{
    int a, b;
    if (n < 2)
        return n;
    count(TASKS);
#pragma omp task shared(a) /* first */
    a = fibonacci(n - 1);
    count(TASKS);
#pragma omp task shared(b) /* second */
    b = fibonacci(n - 2);
#pragma omp taskwait /* both */
    return a + b;
}

struct wide {
    alignas(64) char text[100];
};

int main(int argc, char **argv)
{
    int provided, result = 0, order = 0, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    count(FORKS);
#pragma omp parallel num_threads(THREADS)
    {
        count(MEMBERS);
        count(BARRIERS);
#pragma omp single
        result = fibonacci(7);
    }
    count(FORKS);
#pragma omp parallel num_threads(THREADS)
    {
        count(MEMBERS);
#pragma omp single nowait
        for (int i = 0; i < 30; ++i) {
            struct wide own;
            memset(own.text, i, sizeof own.text);
            count(TASKS);
#pragma omp task firstprivate(own, i) if (i % 3 != 0) /* at the end */
            {
                for (int at = 0; at < 100; ++at)
                    wrong += own.text[at] != i;
                wrong += (size_t)&own % 64 != 0;
                __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
            }
        }
    }
    count(FORKS);
#pragma omp parallel num_threads(THREADS)
    {
        count(MEMBERS);
#pragma omp master
        for (int i = 0; i < 10; ++i) {
            count(TASKS);
#pragma omp task depend(inout : order) firstprivate(i)
            {
                wrong += order != i;
                order += 1;
            }
        }
    }
    return ends("tasks", result == 13 && done == 30 && order == 10 && !wrong);
}
