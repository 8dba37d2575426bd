// Values that must not be copied on their way out.
// flags: -std=c++17
#include <cstdio>
#include <memory>
#include <utility>
struct Fixed { int n; explicit Fixed(int k) : n(k) {} Fixed(const Fixed &) = delete; Fixed &operator=(const Fixed &) = delete; };
static Fixed make(int k) { return Fixed(k); }
static Fixed pass(int k) { if (k > 0) return make(k); return make(-k); }
static std::unique_ptr<int> owned(int k) { auto p = std::make_unique<int>(k); return p; }
static std::pair<int, int> both(int k) { if (k) return {make(k).n, k}; return {0, 0}; }
static decltype(auto) reference(int &x) { return (x); }
static void nothing(int k) { if (k) return static_cast<void>(pass(k)); }
int main()
{
  Fixed f = pass(-3);
  int x = both(2).first;
  reference(x) = 7;
  nothing(2);
  return *owned(f.n) + x;
}
