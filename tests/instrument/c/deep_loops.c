/* Loops in loops: only those with calls have probes; each way out is from another depth. */
#include <stdio.h>
static int f(int x) { return x + 1; }
static int dig(int n)
{
  int s = 0;
  for (int a = 0; a < n; a++) {
    for (int b = 0; b < n; b++) {
      for (int c = 0; c < n; c++) s += c;
      for (int c = 0; c < n; c++) {
        if (c == 3) goto next;
        if (s > 500) return s;
        s = f(s);
        if (b == 2) break;
      }
    next:
      continue;
    }
    do { s = f(s); if (s % 7 == 0) continue; } while (s % 5);
  }
  return s;
}
int main(void) { printf("%d %d %d\n", dig(2), dig(4), dig(9)); return 0; }
