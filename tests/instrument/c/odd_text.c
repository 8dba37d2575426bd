/* Comments, trigraph-like strings "??=", ünïcode, continued lines. */
#include <stdio.h>
#define LONG_ONE(a) \
  ((a) + 1)
static int f(int x) { return x; } static int g(int x) { return f(x); } /* two in a line */
int main(void)
{
  const char *s = "quo\"te ??! \\ ünï \
continued";
  int x = f(/* one */ 1 /* two */) // f(9)
          + LONG_ONE(f(2));
  for (int i = 0;i < 2;i++)g(i);for (int i = 0;i < 2;i++){g(i);}
  puts(s);
  return x + f(
    g(
      __LINE__));
}
