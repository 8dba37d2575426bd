/* Directives: what stands under them must stay there.
   flags: -fopenmp */
#include <stdio.h>
#include <omp.h>
static double f(int i) { return i * 0.5; }
static double all(int n)
{
  double s = 0;
  int k = 0;
  omp_set_num_threads(1);
#pragma omp parallel for reduction(+ : s) default(none) shared(n)
  for (int i = 0; i < n; i++) s += f(i);
#pragma omp parallel for collapse(2) reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s += f(i + j);
#pragma omp parallel default(none) shared(s, n, k)
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
      s += 1;
    }
#pragma omp single
    s += f(3);
#pragma omp barrier
#pragma omp critical
    { k += (int)f(4); }
#pragma omp sections
    {
#pragma omp section
      s += f(1);
#pragma omp section
      s += f(2);
    }
  }
  // the loop is counted below
#pragma GCC unroll 2
  for (int i = 0; i < 4; i++) s += f(i);
  for (int t = 0; t < 2; t++) {
#pragma omp simd reduction(+ : s)
    for (int i = 0; i < n; i++) s += i;
  }
  return s + k;
}
int main(void) { printf("%g\n", all(10)); return 0; }
