/* Lines of the preprocessor between statements. */
#include <stdio.h>
static int f(int x) { return x + 1; }
int main(void)
{
  int s = 0;
#ifdef NEVER
  s = f(100);
#elif 1
  s = f(1);
#else
  s = f(200);
#endif
#if 1
  for (int i = 0; i < 3; i++)
    s += f(i);
#endif
#define LOCAL(x) ((x) + 1)
  s += LOCAL(f(2));
  printf("%d %d\n", s, __LINE__);
  return 0;
}
