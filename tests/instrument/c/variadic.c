/* Any number of arguments, volatile and register variables, a function that returns a union. */
#include <stdarg.h>
#include <stdio.h>
union word { int i; char c[4]; };
static int sum(int n, ...)
{
  va_list list;
  register int s = 0;
  va_start(list, n);
  while (n-- > 0) s += va_arg(list, int);
  va_end(list);
  return s;
}
static union word pack(volatile int *p) { return (union word){.i = *p}; }
int main(void) { volatile int k = sum(3, 1, 2, 3); printf("%d %d\n", k, pack(&k).i); return sum(0); }
