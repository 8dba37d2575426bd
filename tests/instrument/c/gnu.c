/* GNU C: nested functions, blocks with values, labels as values, a case range, typeof, alloca. */
#include <alloca.h>
#include <stdio.h>
static int f(int x) { return x + 1; }
static int run(int n)
{
  static void *const where[] = {&&zero, &&one};
  int inner(int x) { return f(x) + n; }
  int s = ({ int t = f(n); t * 2; });
  __typeof__(f(1)) k = inner(s);
  char *text = alloca(8);
  snprintf(text, 8, "%d", k);
  goto *where[n % 2];
zero:
  for (int i = 0; i < 2; i++) s += f(i);
one:
  s += text[0];
  return s;
}
int main(void) { printf("%d %d\n", run(2), run(3)); return 0; }
