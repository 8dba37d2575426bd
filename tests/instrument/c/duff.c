/* Cases in the middle of a loop (Duff's device). */
#include <stdio.h>
static int one(void) { return 1; }
static int count(int n)
{
  int s = 0, turns = (n + 3) / 4;
  switch (n % 4) {
  case 0: do { s += one();
  case 3:      s += one();
  case 2:      s += one();
  case 1:      s += one();
          } while (--turns > 0);
  }
  return s;
}
int main(void) { for (int n = 1; n < 10; n++) printf("%d\n", count(n)); return 0; }
