/* longjmp past frames: their ends are never told. */
#include <setjmp.h>
#include <stdio.h>
static jmp_buf here;
static void deep(int n) { if (n == 0) longjmp(here, 7); deep(n - 1); }
static int attempt(int n) { volatile int k = n; int code = setjmp(here); if (code == 0) deep(k); return code + k; }
int main(void) { printf("%d %d\n", attempt(0), attempt(5)); return 0; }
