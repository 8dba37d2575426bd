/* for, while, do: break, continue, return out of them. */
#include <stdio.h>
static int next(int x) { return x + 1; }
static int find(int n)
{
  int i = 0, s = 0;
  for (int k = 0; k < n; k++) { if (k % 2) continue; if (k > 8) break; s += next(k); }
  while (i < n) { i = next(i); if (i == 5) return s + i; }
  do { s = next(s); } while (s < 10);
  return s;
}
int main(void) { printf("%d %d %d\n", find(0), find(4), find(20)); return 0; }
