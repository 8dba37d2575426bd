// Lambdas: called, passed on, returning references, generic, within each other.
#include <algorithm>
#include <cstdio>
#include <vector>
static int twice(int x) { return 2 * x; }
template <class F> static int apply(F f, int x) { return f(x); }
int main()
{
  std::vector<int> v{3, 1, 2};
  int sum = 0;
  std::for_each(v.begin(), v.end(), [&](int x) { sum += twice(x); });
  std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
  auto outer = [&sum](auto x) { auto inner = [&] { return twice(sum) + x; }; return inner(); };
  auto &same = [&]() -> int & { return sum; }();
  same++;
  std::printf("%d %d %d\n", apply([](int x) { return twice(x); }, 4), outer(1), v[0]);
  return [] { return 3; }();
}
