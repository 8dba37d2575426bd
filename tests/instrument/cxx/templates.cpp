// Templates of functions and classes, specializations, packs, if constexpr.
#include <cstdio>
#include <initializer_list>
template <class T> T add(T a, T b) { return a + b; }
template <> double add(double a, double b) { return a + b + 0.5; }
template <class T> struct Box { T value; T get() const { return value; } template <class U> U as() { return U(get()); } };
template <class... T> int count(T... x) { int n = 0; for (int i : {int(x)...}) n = add(n, i); return n; }
template <class T> int kind() { if constexpr (sizeof(T) == 1) { return add(1, 0); } else { return add(2, 0); } }
int main()
{
  Box<int> box{4};
  std::printf("%d %g %d %d\n", add(1, 2), add(1.0, 2.0), box.as<int>(), count(1, 2, 3));
  return kind<char>() * 10 + kind<int>();
}
