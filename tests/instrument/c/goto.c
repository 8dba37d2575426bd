/* goto forwards, backwards, out of loops, into a loop. */
#include <stdio.h>
static int f(int x) { return x + 3; }
static int out(int n)
{
  int i = 0, s = 0;
again:
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) { s += f(b); if (s > 40) goto done; }
  if (i++ < 3) goto again;
done:
  return s;
}
static int into(int n)
{
  int i = n, s = 0;
  if (n > 2) goto middle;
  for (i = 0; i < 5; i++) {
    s += f(i);
middle:
    s += 100;
  }
  return s;
}
int main(void) { printf("%d %d %d %d\n", out(2), out(9), into(1), into(3)); return 0; }
