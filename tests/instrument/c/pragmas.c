/* A statement under a directive and without braces around. */
#include <stdio.h>
static int f(int x) { return x + 1; }
static int g(int n)
{
  int s = 0;
  if (n)
#pragma GCC ivdep
    for (int i = 0; i < n; i++) s += f(i);
  switch (n) {
  case 1:
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) { s += f(i); }
    break;
  default:
    s = f(n);
  }
#if 1
#pragma GCC ivdep
  for (int i = 0; i < 2; i++) s += f(i);
#endif
  return s;
}
int main(void) { printf("%d %d %d\n", g(0), g(1), g(5)); return 0; }
