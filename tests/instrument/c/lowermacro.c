/* A macro that looks like a function and is a statement. */
#include <stdio.h>
#define report(x) do { printf("%d\n", x); } while (0)
static int f(int x) { return x + 1; }
static void g(int n) { if (n) report(f(n)); else report(f(0)); }
static int h(int n) { for (int i = 0; i < n; i++) g(i); return f(n); }
int main(void) { return h(3); }
