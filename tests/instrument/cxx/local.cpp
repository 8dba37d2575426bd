// Classes within procedures, anonymous namespaces, linkage, operators that look odd.
#include <cstdio>
extern "C" {
int from_c(int x) { return x + 1; }
}
namespace { int hidden(int x) { return from_c(x); } namespace inner { int deep(int x) { return hidden(x); } } }
struct Index { int operator[](int i) const { return i; } int operator*() const { return 8; } int operator->*(int x) const { return x; } };
inline namespace v1 { template <class T> auto size(T t) -> decltype(t + 1) { return t + 1; } }
int main()
{
  struct Local { int n; int twice() const { return hidden(n) * 2; } static int three() { return 3; } };
  Local l{4};
  Index i;
  for (int k = 0; k < Local::three(); k++) std::printf("%d\n", l.twice() + i[k] + *i + (i->*k));
  return inner::deep(size(1));
}
