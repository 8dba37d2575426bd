/* Attributes: never returning, always inline, at start and end, asked not to be looked at. */
#include <stdio.h>
#include <stdlib.h>
static int begun;
__attribute__((constructor)) static void begin(void) { begun = 5; }
__attribute__((destructor)) static void end(void) { puts("end"); }
static inline __attribute__((always_inline)) int fast(int x) { return x + 1; }
__attribute__((no_instrument_function)) static int quiet(int x) { return x; }
inline int shared_one(int x) { return fast(x); }
extern int shared_one(int x);
_Noreturn static void stop(int code) { exit(code); }
int main(void) { printf("%d\n", fast(begun) + quiet(1) + shared_one(2)); stop(begun); }
