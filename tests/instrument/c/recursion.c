/* Recursion: direct, mutual, by pointer. */
#include <stdio.h>
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int apply(int (*f)(int), int n) { return f(n) + (*f)(n); }
int main(void) { printf("%d %d %d\n", even(7), fib(10), apply(fib, 5)); return 0; }
