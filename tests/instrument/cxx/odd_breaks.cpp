// goto and breaks past objects, loops in switch and try.
#include <cstdio>
struct Noise { int n; explicit Noise(int k) : n(k) {} ~Noise() { std::printf("~%d\n", n); } };
static int f(int x) { return x + 1; }
static int run(int n)
{
  for (int i = 0; i < n; i++) {
    Noise outer(i);
    for (int j = 0;; j++) { Noise inner(10 + j); if (f(j) > i) break; if (i == 2) goto out; }
    try { while (true) { if (f(i) == 2) break; if (i > 3) throw 1; i = f(i); } } catch (int) { continue; }
  }
out:
  return f(n);
}
int main() { return run(1) + run(6); }
