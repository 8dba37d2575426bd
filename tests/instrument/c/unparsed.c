/* One procedure cannot be read without its macros; the others can. */
#include <stdio.h>
#define BEGIN {
#define END }
#define forever for (;;)
static int f(int x) { return x + 1; }
static int odd_one(int n) BEGIN
  forever { if (n++ > 5) return f(n); }
END
static int g(int n)
{
#ifdef NEVER
  if (n) {
#else
  if (n > 1) {
#endif
    return f(n);
  }
  return 0;
}
static int h(int n) { for (int i = 0; i < 3; i++) n = f(n); return n; }
int main(void) { printf("%d %d %d\n", odd_one(1), g(4), h(2)); return 0; }
