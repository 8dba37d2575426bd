/* Macros that are no functions: statements, an if without else, stringized arguments. */
#include <stdio.h>
#define CHECK(x) do { if ((x) < 0) printf("negative: %s\n", #x); } while (0)
#define WHEN(x) if (x) puts("when")
#define TWICE(x) x; x
#define unless(c) if (!(c))
static int f(int x) { return x - 2; }
int main(void)
{
  int s = 3;
  for (int i = 0; i < 4; i++) { CHECK(f(i)); }
  if (s) WHEN(f(s)); else puts("else of the when");
  if (s) CHECK(f(1)); else CHECK(f(2));
  TWICE(s += f(s));
  return s + f(__LINE__);
}
