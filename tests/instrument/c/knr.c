/* Definitions as before 1989. */
#include <stdio.h>
int add(a, b) int a; int b; { return a + b; }
double half(x)
  double x;
{
  if (x < 0) return 0;
  return x / 2;
}
int main() { printf("%d %g\n", add(1, 2), half(3.0)); return 0; }
