/* What runs on a device gets no probes.
   flags: -fopenmp */
#include <stdio.h>
#pragma omp declare target
static int twice(int x) { return 2 * x; }
#pragma omp end declare target
static int once(int x) { return x; }
int main(void)
{
  int s = 0;
#pragma omp target map(tofrom : s)
  for (int i = 0; i < 4; i++) s += twice(i);
  printf("%d\n", s + once(1));
  return 0;
}
