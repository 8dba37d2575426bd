/* Calls in every part of a for, in conditions, in arguments of calls. */
#include <stdio.h>
static int n;
static int f(int x) { n++; return x; }
static void start(void) { n = 0; }
int main(void)
{
  int s = 0, i, j;
  for (start(), i = f(0), j = f(9); f(i) < f(j); i = f(i + 1), f(j)) s += f(f(f(i)));
  while ((i = f(i - 1)), f(i) > 2 && f(i) != 4) s++;
  for (; ; ) { if (f(s) && (f(s) || f(0))) break; }
  if ((s = f(s)) != 0) s += f(1) ? f(2) : f(3);
  printf("%d %d %d\n", s, n, sizeof f(1) == sizeof(int));
  return f(s) % 7;
}
