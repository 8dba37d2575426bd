// Procedures that run before main, also those of lambdas and of statics in functions.
#include <cstdio>
static int begin(int x) { std::puts("begin"); return x; }
static int first = begin(1);
static int second = [] { return begin(2) + 1; }();
static int &once() { static int value = begin(5); return value; }
struct Global { Global() { begin(9); } ~Global() { std::puts("gone"); } } global;
int main() { once()++; return once() + first + second; }
