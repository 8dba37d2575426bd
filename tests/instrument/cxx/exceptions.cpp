// Exceptions through procedures and loops, caught, thrown again, in destructors' sight.
#include <cstdio>
#include <stdexcept>
struct Trace { const char *name; ~Trace() { std::puts(name); } };
static int risky(int n) { if (n > 2) throw n; return n; }
static int loop(int n)
{
  Trace t{"loop left"};
  int s = 0;
  for (int i = 0; i < n; i++) { s += risky(i); }
  return s;
}
static int attempt(int n)
{
  try { return loop(n); }
  catch (int x) { while (x > 0) { x = risky(x - 1); } return -1; }
}
static void again(int n) { try { risky(n); } catch (...) { throw std::runtime_error("again"); } }
int main()
{
  std::printf("%d %d\n", attempt(2), attempt(9));
  try { again(5); } catch (const std::exception &e) { std::puts(e.what()); return 4; }
}
