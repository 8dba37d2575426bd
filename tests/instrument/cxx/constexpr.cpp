// What the compiler may execute stays as it is.
#include <cstdio>
constexpr int square(int x) { return x * x; }
constexpr int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += square(i); return s; }
static_assert(sum(4) == 14, "executed by the compiler");
template <int N> struct Array { int values[N]; constexpr int size() const { return N; } };
static int plain(int x) { return square(x) + sum(3); }
int main() { Array<square(3)> a{}; std::printf("%d %d\n", plain(2), a.size()); return 0; }
