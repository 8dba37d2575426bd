/* exit in the depth: frames stay open. */
#include <stdio.h>
#include <stdlib.h>
static void last(void) { puts("last"); }
static void down(int n) { if (!n) exit(3); for (;;) down(n - 1); }
int main(void) { atexit(last); down(3); return 0; }
