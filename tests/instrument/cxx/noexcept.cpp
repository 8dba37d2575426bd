// noexcept, trailing return types, ref-qualifiers, attributes, operators new and delete.
#include <cstdio>
#include <cstdlib>
#include <new>
static int made;
void *operator new(std::size_t n) { made++; if (void *p = std::malloc(n)) return p; throw std::bad_alloc(); }
void operator delete(void *p) noexcept { made--; std::free(p); }
void operator delete(void *p, std::size_t) noexcept { made--; std::free(p); }
struct Value {
  int n = 2;
  [[nodiscard]] auto twice() const & noexcept -> int { return 2 * n; }
  auto twice() && noexcept(true) -> int { return 20 * n; }
  friend bool operator==(const Value &a, const Value &b) noexcept { return a.n == b.n; }
};
[[maybe_unused]] static auto choose(bool b) { if (b) return 1; else return 2; }
int main()
{
  // Not by a new-expression: that need not call the function (C++14).
  void *place = ::operator new(sizeof(Value));
  auto *value = ::new (place) Value;
  std::printf("%d %d %d %d\n", value->twice(), Value{}.twice(), *value == Value{}, choose(made == 1));
  ::operator delete(place);
  return made;
}
