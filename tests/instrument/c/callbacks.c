/* Called from the library: by qsort, by bsearch, at exit. */
#include <stdio.h>
#include <stdlib.h>
static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int count;
static int counted(const void *a, const void *b) { count++; return less(a, b); }
int main(void)
{
  int v[] = {3, 1, 2}, key = 2;
  qsort(v, 3, sizeof *v, less);
  int *found = bsearch(&key, v, 3, sizeof *v, counted);
  printf("%d %d %d\n", v[0], *found, count > 0);
  return 0;
}
