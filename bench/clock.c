/* What reading the time-stamp counter costs: the floor under every traced call, twice. */
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

int main(void)
{
    enum { READS = 10000000 };
    struct timespec start, end;
    unsigned long long sum = 0;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < READS; i++)
        sum += __rdtsc();
    clock_gettime(CLOCK_MONOTONIC, &end);
    double ns = 1e9 * (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec);
    printf("ns_per_call %.2f\n", ns / READS);
    return sum == 0; /* the sum is used, so the reads are made */
}
