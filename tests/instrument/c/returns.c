/* Ways out of a procedure: early, nested, void, by the end. */
#include <stdio.h>
static int sign(int x) { if (x < 0) return -1; if (x > 0) return 1; return 0; }
static void say(int x) { if (!x) return; printf("%d\n", x); }
static int both(int x) { return sign(x) ? sign(-x) : sign(0); }
int main(void)
{
  for (int i = -2; i <= 2; i++) say(both(i));
  return both(3) + 2;
}
