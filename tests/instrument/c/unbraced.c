/* Bodies without braces, else-if chains, an else that belongs to the inner if. */
#include <stdio.h>
static int f(int x) { return x % 3; }
static int g(int x)
{
  int s = 0;
  if (f(x) == 0) s = f(x + 1); else if (f(x) == 1) s = f(x + 2); else s = 9;
  if (x > 2) if (f(x)) s += 10; else s += 20;
  for (int i = 0; i < 3; i++) if (i == f(x)) s += f(i); else s++;
  if (x) for (int i = 0; i < 2; i++) s += f(i); else s--;
  while (s > 100) s = f(s);
  do s += f(s); while (s < 5);
  return s;
}
int main(void) { for (int i = 0; i < 8; i++) printf("%d\n", g(i)); return 0; }
