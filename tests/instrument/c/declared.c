/* Declarations: arrays of a called length, statics, structs returned by value, initializers. */
#include <stdio.h>
struct pair { int a, b[2]; };
static struct pair make(int x) { struct pair p = {x, {x + 1, x + 2}}; return p; }
static int f(int x) { return x; }
static int (*choose(int n))(int) { return n ? f : 0; }
int main(void)
{
  int length[f(4)], s = sizeof length / sizeof *length;
  static int kept = 3;
  struct pair p = make(f(1)), q[] = {make(2), make(3)};
  s += make(4).a + make(5).b[1] + choose(1)(6) + p.b[0] + q[1].a;
  kept += s;
  printf("%d %d\n", s, kept);
  return 0;
}
