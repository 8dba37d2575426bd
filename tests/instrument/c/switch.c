/* Switches: fall through, loops and returns in cases, ranges, a switch without braces. */
#include <stdio.h>
static int f(int x) { return x * 2; }
static int g(int x)
{
  int s = 0;
  switch (f(x)) {
  case 0: s = f(1);
  case 2: s += f(2); break;
  case 4: for (int i = 0; i < 3; i++) { if (i == 2) break; s += f(i); } break;
  case 6: return f(7);
  case 8 ... 20: { int y = f(x); s = y; } break;
  default: while (s < 5) s += f(1);
  }
  switch (x) case 3: s += f(1);
  return s;
}
int main(void) { for (int i = 0; i < 14; i++) printf("%d ", g(i)); puts(""); return 0; }
