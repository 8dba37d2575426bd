/* Work whose length does not depend on the machine, and whose result does not on anything else. */
#include <time.h>

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

/* A linear congruential generator (Knuth 3.3.4). */
#define STEP(state) ((state) * 6364136223846793005ul + 1442695040888963407ul)

__attribute__((noinline, unused)) static unsigned long often(unsigned long state, long unit)
{
    for (long i = 0; i < 3 * unit; i++)
        state = STEP(state);
    return state;
}

__attribute__((noinline, unused)) static unsigned long seldom(unsigned long state, long unit)
{
    for (long i = 0; i < unit; i++)
        state = STEP(state);
    return state;
}

/* Returns how many steps take a hundredth of a second of processor time here. */
static long unit_here(void)
{
    double begin = processor_seconds();
    long unit = 0;
    volatile unsigned long state = 1;
    while (processor_seconds() - begin < 0.01) {
        for (long i = 0; i < 100000; i++)
            state = STEP(state);
        unit += 100000;
    }
    return unit;
}
